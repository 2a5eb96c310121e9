package fleet.core.requirements;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A port of the machine that a unit claims for itself.
 *
 * @param address the address that it is claimed on; empty for all of them
 * @param number from 1 to 65535
 * @param protocol {@code tcp} or {@code udp}
 */
public record ClaimedPort(String address, int number, String protocol) {

  static final String TCP = "tcp";
  static final String UDP = "udp";

  private static final Set<String> ALL = Set.of("", "0.0.0.0", "[::]", "*");
  private static final int LAST = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:(\\[[0-9A-Fa-f:.%a-z]+\\]|[0-9.]+|\\*):)?(\\d{1,5})");

  public ClaimedPort {
    address = ALL.contains(address) ? "" : address;
  }

  /** Reads {@code [ADDRESS:]PORT[/tcp|/udp]}. */
  static Optional<ClaimedPort> read(String text) {
    int slash = text.indexOf('/');
    String protocol = slash < 0 ? TCP : text.substring(slash + 1);
    return protocol.equals(TCP) || protocol.equals(UDP)
        ? listening(slash < 0 ? text : text.substring(0, slash), protocol)
        : Optional.empty();
  }

  /** Reads what a socket unit listens on; empty for what is no port of the machine. */
  static Optional<ClaimedPort> listening(String text, String protocol) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return Optional.empty();
    }
    int number = Integer.parseInt(form.group(2));
    return number < 1 || number > LAST
        ? Optional.empty()
        : Optional.of(
            new ClaimedPort(form.group(1) == null ? "" : form.group(1), number, protocol));
  }

  /** Whether only one of the two can be had on a machine. */
  public boolean meets(ClaimedPort other) {
    return number == other.number
        && protocol.equals(other.protocol)
        && (address.isEmpty() || other.address.isEmpty() || address.equals(other.address));
  }

  /** Such as {@code 80} or {@code 127.0.0.1:53/udp}. */
  @Override
  public String toString() {
    return (address.isEmpty() ? "" : address + ":")
        + number
        + (protocol.equals(TCP) ? "" : "/" + protocol);
  }
}
