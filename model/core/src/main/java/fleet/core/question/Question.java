package fleet.core.question;

import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A question or an order to one machine, over any transport. The constructors refuse invalid ones
 * with an {@link IllegalArgumentException} for people.
 */
public sealed interface Question {

  /** The modes of {@code journalctl --output}: nothing else becomes an argument there. */
  Pattern OUTPUT = Pattern.compile("[a-z]+(-[a-z]+)*");

  Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private static void require(boolean right, String what, Object given, String expected) {
    if (!right) {
      throw new IllegalArgumentException(
          "invalid %s \"%s\": expected %s".formatted(what, given, expected));
    }
  }

  private static void requireLines(int lines) {
    require(lines >= 0, "lines", lines, "a number");
  }

  /**
   * A time that journalctl understands.
   *
   * @param what it is, for messages
   */
  static Instant time(String what, Instant time) {
    require(!time.isBefore(EARLIEST) && !time.isAfter(LATEST), what, time, "a year from 1 to 9999");
    return time;
  }

  /** {@code systemctl status}, with colours if the reader shows them. */
  record Status(UnitName unit, boolean colour) implements Question {}

  /**
   * The journal of a unit that the machine holds, as text.
   *
   * @param lines how many of the newest lines to begin with
   * @param follow whether to go on with what is written from now on
   * @param output as {@code journalctl --output} takes it
   */
  record Journal(UnitName unit, int lines, boolean follow, String output) implements Question {
    public Journal {
      requireLines(lines);
      require(
          OUTPUT.matcher(output).matches(),
          "output",
          output,
          "a name as journalctl --output takes it");
    }
  }

  /**
   * The journal of some units as one, an entry a line, as {@code journalctl --output=json} writes
   * it. If it is followed, an empty line stands between what was there and what is written from
   * then on.
   *
   * @param lines how many of the newest entries to begin with; {@link #ALL} for all
   * @param since entries before that are left out; of the machine's clock
   * @param after the cursor of the entry after which to begin; empty for none
   * @param whole whether entries come with all of their fields, or those that people read
   */
  record JournalEntries(
      List<UnitName> units,
      int lines,
      Optional<Instant> since,
      String after,
      boolean follow,
      boolean whole)
      implements Question {

    public static final int ALL = Integer.MAX_VALUE;

    public JournalEntries {
      units = List.copyOf(units);
      requireLines(lines);
      since = since.map(time -> time("since", time));
    }
  }

  /**
   * Some entries of the journal of units. A question of its own, so that a machine that is too old
   * for filters refuses it.
   */
  record FilteredEntries(JournalEntries entries, JournalFilter filter) implements Question {
    public FilteredEntries {
      require(
          !filter.searches()
              || entries.lines() == JournalEntries.ALL
              || entries.lines() <= JournalFilter.MOST_NEWEST,
          "lines",
          entries.lines(),
          "all, or %d at most with grep and until".formatted(JournalFilter.MOST_NEWEST));
      require(
          !entries.follow() || filter.until().isEmpty(),
          "until",
          filter.until().map(Instant::toString).orElse(""),
          "none if the journal is followed");
    }
  }

  /**
   * The audit log that fleetd of the machine has written.
   *
   * @param entries which of its entries, of no unit
   * @param subject who asked; empty for anybody
   * @param target the unit or whatever else it was asked of; empty for anything
   */
  record Audit(JournalEntries entries, String subject, String target) implements Question {}

  /**
   * The resources of the machine and their use, a JSON object a line: one at once, and one more
   * after each interval. Consumption is counted from an arbitrary beginning, so that two lines make
   * a rate.
   *
   * @param units whether the machine's units come one by one as well
   * @param samples how many lines; {@link #ENDLESS} for as long as they are read
   */
  record Usage(boolean units, Duration interval, int samples) implements Question {

    public static final int ENDLESS = Integer.MAX_VALUE;

    public Usage {
      require(interval.isPositive(), "interval", interval, "some time");
      require(samples > 0, "samples", samples, "a number above 0");
    }
  }

  /**
   * An order for systemd, carried out once and now: it is not remembered. The exit status is that
   * of systemctl, the answer is what it printed.
   *
   * @param signal of {@link UnitVerb#KILL}; empty for all other verbs
   */
  record Order(UnitName unit, UnitVerb verb, Optional<KillSignal> signal) implements Question {
    public Order {
      if (signal.isPresent() != (verb == UnitVerb.KILL)) {
        throw new IllegalArgumentException(
            verb == UnitVerb.KILL
                ? "kill needs a signal"
                : "%s takes no signal".formatted(verb.text()));
      }
    }
  }
}
