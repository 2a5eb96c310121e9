package fleet.entities;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an entry is in its machine's journal.
 *
 * @param cursor as journald writes it: {@code s=} names a row of numbers, {@code i=} is the number
 *     in it, and {@code t=} the time in microseconds since 1970, all of them hexadecimal
 */
public record JournalPosition(String cursor) {

  private static final Pattern PARTS =
      Pattern.compile("s=([0-9a-f]+);i=([0-9a-f]{1,16});(?:.*;)?t=([0-9a-f]{1,16})(?:;.*)?");

  /** Whether it comes behind another one of the same machine; not so if that is not known. */
  public boolean isAfter(JournalPosition other) {
    Matcher mine = PARTS.matcher(cursor);
    Matcher others = PARTS.matcher(other.cursor);
    if (!mine.matches() || !others.matches()) {
      return false;
    }
    // Clocks are set back; numbers only rise. They start over with a new journal.
    int number = mine.group(1).equals(others.group(1)) ? 2 : 3;
    return Long.compareUnsigned(
            Long.parseUnsignedLong(mine.group(number), 16),
            Long.parseUnsignedLong(others.group(number), 16))
        > 0;
  }
}
