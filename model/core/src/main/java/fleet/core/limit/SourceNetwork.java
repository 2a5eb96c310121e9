package fleet.core.limit;

import java.util.HexFormat;

/**
 * The network that an address counts for in limits on addresses: the address itself with IPv4, its
 * first 64 bits with IPv6, as one subscriber has all addresses that begin so.
 *
 * @param prefix in hexadecimal
 */
public record SourceNetwork(String prefix) {

  private static final int BYTES = 8;

  /** That of an address, in network byte order. */
  public static SourceNetwork of(byte[] address) {
    return new SourceNetwork(HexFormat.of().formatHex(address, 0, Math.min(address.length, BYTES)));
  }
}
