package fleet.core.machine;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads amounts as systemd reads them; empty for those that systemd would not understand either.
 */
public final class AmountReader {

  // The number of digits is limited because reading a number takes the square of it.
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,20}(?:\\.\\d{1,20})?)\\s*([KMGTPE]?)B?\\s*");
  private static final Pattern SHARE = Pattern.compile("(\\d{1,20}(?:\\.\\d{1,2})?)\\s*([%‰‱])");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,12}(?:\\.\\d{1,20})?");
  private static final String UNITS = "KMGTPE";
  private static final String INFINITY = "infinity";
  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private AmountReader() {}

  /** Bytes such as {@code 1G 512M}, a share of the machine, or {@code infinity}. */
  public static Optional<Amount> bytes(String text) {
    return infinity(text).or(() -> shareOfMachine(text)).or(() -> size(text));
  }

  /** A count, a share of the machine, or {@code infinity}. */
  public static Optional<Amount> tasks(String text) {
    return infinity(text).or(() -> shareOfMachine(text)).or(() -> count(text));
  }

  private static Optional<Amount> count(String text) {
    return NUMBER.matcher(text).matches()
        ? Optional.of(new Amount(Long.parseLong(text), 0))
        : Optional.empty();
  }

  /** Processors such as {@code 0.5}, a share of the machine's, or {@code infinity}. */
  public static Optional<Amount> cores(String text) {
    return infinity(text).or(() -> shareOfMachine(text)).or(() -> processors(text));
  }

  private static Optional<Amount> processors(String text) {
    return DECIMAL.matcher(text).matches()
        ? Optional.of(new Amount(whole(new BigDecimal(text).movePointRight(3)), 0))
        : Optional.empty();
  }

  /** {@code CPUQuota=}: a share of one processor, which may be more than all of it. */
  static Optional<Amount> quota(String text) {
    return share(text).map(share -> new Amount(share / 10, 0));
  }

  private static Optional<Amount> infinity(String text) {
    return text.equals(INFINITY) ? Optional.of(Amount.NOTHING) : Optional.empty();
  }

  private static Optional<Amount> shareOfMachine(String text) {
    return share(text).map(share -> new Amount(0, share));
  }

  /** In ten-thousandths. */
  private static Optional<Long> share(String text) {
    Matcher share = SHARE.matcher(text);
    if (!share.matches()) {
      return Optional.empty();
    }
    int digits = share.group(2).equals("%") ? 2 : share.group(2).equals("‰") ? 1 : 0;
    return Optional.of(whole(new BigDecimal(share.group(1)).movePointRight(digits)));
  }

  private static Optional<Amount> size(String text) {
    Matcher part = SIZE.matcher(text);
    BigDecimal sum = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      int power = part.group(2).isEmpty() ? 0 : 1 + UNITS.indexOf(part.group(2));
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(1024).pow(power)));
      end = part.end();
    }
    return end == 0 || end < text.length()
        ? Optional.empty()
        : Optional.of(new Amount(whole(sum), 0));
  }

  private static long whole(BigDecimal number) {
    return number.min(LONGEST).longValue();
  }
}
