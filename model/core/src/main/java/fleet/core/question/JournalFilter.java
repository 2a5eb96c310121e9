package fleet.core.question;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which entries of a journal are wanted, as journalctl selects them. The constructor refuses an
 * invalid one with an {@link IllegalArgumentException} for people: nothing else becomes an argument
 * of journalctl.
 *
 * @param priority a level, from which more urgent ones are wanted as well, or a range of two; empty
 *     for all
 * @param grep a regular expression of the messages, as journalctl takes it; empty for all
 * @param until entries after that are left out; of the machine's clock
 * @param boot whether only those since the machine has booted
 */
public record JournalFilter(String priority, String grep, Optional<Instant> until, boolean boot) {

  public static final JournalFilter NONE = new JournalFilter("", "", Optional.empty(), false);

  /** How many entries can be asked for if journalctl alone cannot find the newest. */
  public static final int MOST_NEWEST = 10_000;

  private static final String LEVEL =
      "([0-7]|emerg|alert|crit|err|error|warning|notice|info|debug)";

  private static final Pattern PRIORITY = Pattern.compile(LEVEL + "(\\.\\." + LEVEL + ")?");
  private static final int LONGEST = 500;

  public JournalFilter {
    if (!priority.isEmpty() && !PRIORITY.matcher(priority).matches()) {
      throw new IllegalArgumentException(
          "invalid priority \"%s\": expected emerg, alert, crit, err, warning, notice, info, debug, 0 to 7, or a range such as err..crit"
              .formatted(priority));
    }
    if (grep.length() > LONGEST || grep.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "invalid grep: expected a regular expression of one line and %d characters at most"
              .formatted(LONGEST));
    }
    until = until.map(time -> Question.time("until", time));
  }

  /** Whether journalctl reads other entries than the newest to find the newest that are wanted. */
  public boolean searches() {
    return !grep.isEmpty() || until.isPresent();
  }
}
