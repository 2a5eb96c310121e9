package fleet.daemon.config;

import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * How a value is read.
 *
 * @param expected completes "expected ..." in a message
 * @param parse throws {@link IllegalArgumentException} for a value that is not of this type
 */
record ValueType<T>(String expected, Function<String, T> parse) {
  static final ValueType<String> TEXT = new ValueType<>("text", text -> text);
  static final ValueType<Boolean> BOOLEAN = new ValueType<>("true or false", ValueType::toBoolean);
  static final ValueType<Duration> SECONDS =
      new ValueType<>("a number of seconds above 0, such as 2.0", ValueType::toSeconds);
  static final ValueType<Duration> DURATION =
      new ValueType<>(
          "a duration above 0 with its unit, such as 30s, 500ms or 1m30s", ValueType::toDuration);
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

  static ValueType<Integer> integer(int least, int greatest) {
    return new ValueType<>(
        "a whole number from " + least + " to " + greatest,
        text -> within(Integer.parseInt(text), least, greatest));
  }

  private static int within(int number, int least, int greatest) {
    require(number >= least && number <= greatest);
    return number;
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
