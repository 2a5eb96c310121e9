package fleet.core.requirements;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of the machine that a unit claims.
 *
 * @param address the address that it is claimed on; {@code 0.0.0.0} for all of IPv4, {@code [::]}
 *     for all of IPv6, empty for all of both
 * @param number from 1 to 65535
 * @param protocol {@code tcp} or {@code udp}
 * @param shared whether others that share it too may have it beside this unit
 */
public record ClaimedPort(String address, int number, String protocol, boolean shared) {

  static final String TCP = "tcp";
  static final String UDP = "udp";

  private static final String ALL = "";
  private static final String ALL_OF_IPV4 = "0.0.0.0";
  private static final String ALL_OF_IPV6 = "[::]";

  private static final int LAST = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:(\\[[0-9A-Fa-f:.]+(?:%[^\\]]+)?\\]|[0-9.]+|\\*):)?(\\d{1,5})");

  /** Reads {@code [ADDRESS:]PORT[/tcp|/udp]}; all of IPv6 is IPv4 as well. */
  static Optional<ClaimedPort> read(String text, boolean shared) {
    int slash = text.indexOf('/');
    String protocol = slash < 0 ? TCP : text.substring(slash + 1);
    return protocol.equals(TCP) || protocol.equals(UDP)
        ? listening(slash < 0 ? text : text.substring(0, slash), protocol, shared, false)
        : Optional.empty();
  }

  /**
   * Reads what a socket unit listens on; empty for what is no port of the machine.
   *
   * @param ipv6Only whether all of IPv6 is not IPv4 as well
   */
  static Optional<ClaimedPort> listening(
      String text, String protocol, boolean shared, boolean ipv6Only) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(form.group(2));
    if (number < 1 || number > LAST) {
      return Optional.empty();
    }
    String address = form.group(1) == null ? "*" : form.group(1);
    return Optional.of(new ClaimedPort(whole(address, ipv6Only), number, protocol, shared));
  }

  private static String whole(String address, boolean ipv6Only) {
    return switch (address) {
      case "*", ALL_OF_IPV6 -> ipv6Only ? ALL_OF_IPV6 : ALL;
      default -> address.toLowerCase(Locale.ROOT);
    };
  }

  /** Whether only one of the two can be had on a machine. */
  public boolean meets(ClaimedPort other) {
    return number == other.number
        && protocol.equals(other.protocol)
        && !(shared && other.shared)
        && (isWithin(other) || other.isWithin(this));
  }

  private boolean isWithin(ClaimedPort other) {
    return switch (other.address) {
      case ALL -> true;
      case ALL_OF_IPV4 -> !isIpv6();
      case ALL_OF_IPV6 -> isIpv6();
      default -> address.equals(other.address);
    };
  }

  private boolean isIpv6() {
    return address.startsWith("[");
  }

  /** Such as {@code 80} or {@code 127.0.0.1:53/udp}. */
  @Override
  public String toString() {
    return (address.isEmpty() ? "" : address + ":")
        + number
        + (protocol.equals(TCP) ? "" : "/" + protocol);
  }
}
