package fleet.fleetd.config;

import fleet.core.access.AccessRole;
import fleet.core.machine.Amount;
import fleet.core.machine.Isolation;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How a value is read.
 *
 * @param expected completes "expected ..." in a message
 * @param parse throws {@link IllegalArgumentException} for a value that is not of this type
 */
record ValueType<T>(String expected, Function<String, T> parse) {
  private static final Pattern SERVER = Pattern.compile("[0-9A-Za-z._%:\\[\\]-]+");

  static final ValueType<String> TEXT = new ValueType<>("text", text -> text);
  static final ValueType<Boolean> BOOLEAN = new ValueType<>("true or false", ValueType::toBoolean);
  static final ValueType<Duration> SECONDS =
      new ValueType<>("a number of seconds above 0, such as 2.0", ValueType::toSeconds);
  static final ValueType<Duration> DURATION =
      new ValueType<>(
          "a duration above 0 with its unit, such as 30s, 500ms or 1m30s", ValueType::toDuration);
  static final ValueType<Long> BYTES =
      new ValueType<>("a size such as 512M, 8G or 2147483648", ValueType::toBytes);
  static final ValueType<AccessRole> ACCESS_ROLE =
      new ValueType<>(
          "viewer, operator or admin",
          text -> AccessRole.ofText(text).orElseThrow(IllegalArgumentException::new));

  static final ValueType<Isolation> ISOLATION =
      new ValueType<>(
          "keep or stop",
          text -> Isolation.ofText(text).orElseThrow(IllegalArgumentException::new));
  static final ValueType<Path> PATH =
      new ValueType<>("an absolute path", ValueType::toAbsolutePath);
  static final ValueType<String> KEY_PREFIX =
      new ValueType<>("a key such as /_coreos.com/fleet/", ValueType::toKeyPrefix);
  static final ValueType<List<String>> LIST =
      new ValueType<>("a list such as [\"one\", \"two\"]", ValueType::toList);
  static final ValueType<List<InetSocketAddress>> ADDRESSES =
      new ValueType<>(
          "addresses such as 127.0.0.1:49153 or [::1]:49153, parted by commas",
          text -> toList(text).stream().map(ValueType::toAddress).toList());

  /** Machines by name or address, with or without a port. */
  static ValueType<List<InetSocketAddress>> servers(int defaultPort) {
    return new ValueType<>(
        "servers such as 10.0.0.1, server.example.org:50059 or [fd00::1]:50059, parted by commas",
        text -> toList(text).stream().map(server -> toServer(server, defaultPort)).toList());
  }

  private static InetSocketAddress toServer(String text, int defaultPort) {
    require(SERVER.matcher(text).matches());
    int colons = (int) text.chars().filter(c -> c == ':').count();
    boolean portless = text.endsWith("]") || colons == 0;
    // An address of IPv6 has at least two colons, and may stand without brackets if no port is.
    String whole = colons > 1 && !text.startsWith("[") ? "[" + text + "]:" + defaultPort : text;
    return toAddress(portless ? text + ":" + defaultPort : whole);
  }

  static ValueType<Integer> integer(int least, int greatest) {
    return new ValueType<>(
        "a whole number from " + least + " to " + greatest,
        text -> within(Integer.parseInt(text), least, greatest));
  }

  /** So much of a resource, or a share of what the machine has; not nothing of it. */
  static ValueType<Amount> amount(String examples, Function<String, Optional<Amount>> reader) {
    return new ValueType<>(
        "an amount above 0 such as " + examples + ", or a share of what there is such as 50%",
        text -> {
          Amount amount = toAmount(text, reader);
          require(!amount.isNothing());
          return amount;
        });
  }

  /** So much of a resource, a share of what the machine has, or nothing. */
  static ValueType<Amount> keptAmount(String examples, Function<String, Optional<Amount>> reader) {
    return new ValueType<>(
        "an amount such as "
            + examples
            + ", a share of what the machine has such as 10%, at most 100%, or 0",
        text -> toAmount(text, reader));
  }

  private static Amount toAmount(String text, Function<String, Optional<Amount>> reader) {
    require(!text.equals("infinity"));
    Amount amount = reader.apply(text).orElseThrow(IllegalArgumentException::new);
    require(amount.share() <= Amount.WHOLE);
    return amount;
  }

  private static int within(int number, int least, int greatest) {
    require(number >= least && number <= greatest);
    return number;
  }

  /** A duration that is not below another. */
  static ValueType<Duration> atLeast(Duration least) {
    return new ValueType<>(
        "a duration of at least " + least.toSeconds() + "s, such as 8s or 1m30s",
        text -> {
          Duration duration = toDuration(text);
          require(duration.compareTo(least) >= 0);
          return duration;
        });
  }

  private static long toBytes(String text) {
    int unit = "KMGT".indexOf(text.charAt(text.length() - 1)) + 1;
    long number = Long.parseLong(unit == 0 ? text : text.substring(0, text.length() - 1));
    require(number > 0);
    return Math.multiplyExact(number, 1L << (10 * unit));
  }

  private static boolean toBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "1", "yes", "on" -> true;
      case "false", "f", "0", "no", "off" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Duration toSeconds(String text) {
    BigDecimal nanos = new BigDecimal(text).movePointRight(9);
    require(nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0);
    return positive(Duration.ofNanos(nanos.longValue()));
  }

  private static Duration toDuration(String text) {
    return positive(GoDuration.parse(text));
  }

  private static Duration positive(Duration duration) {
    require(duration.isPositive());
    return duration;
  }

  private static Path toAbsolutePath(String text) {
    Path path = Path.of(text);
    require(path.isAbsolute());
    return path.normalize();
  }

  private static String toKeyPrefix(String text) {
    String start = text.startsWith("/") ? text : "/" + text;
    return start.endsWith("/") ? start : start + "/";
  }

  private static List<String> toList(String text) {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String inner = bracketed ? text.substring(1, text.length() - 1) : text;
    List<String> items = new ArrayList<>();
    for (String item : inner.split(",", -1)) {
      String bare = unquote(item.strip());
      if (!bare.isEmpty()) {
        items.add(bare);
      }
    }
    return List.copyOf(items);
  }

  private static String unquote(String item) {
    boolean quoted =
        item.length() >= 2
            && (item.startsWith("\"") || item.startsWith("'"))
            && item.charAt(0) == item.charAt(item.length() - 1);
    return quoted ? item.substring(1, item.length() - 1).strip() : item;
  }

  private static InetSocketAddress toAddress(String text) {
    int colon = text.lastIndexOf(':');
    require(colon > 0);
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    require(bracketed || host.indexOf(':') < 0);
    int port = within(Integer.parseInt(text.substring(colon + 1)), 1, 65535);
    return InetSocketAddress.createUnresolved(
        bracketed ? host.substring(1, host.length() - 1) : host, port);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException();
    }
  }
}
