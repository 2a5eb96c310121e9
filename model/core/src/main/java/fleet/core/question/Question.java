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

  /** The names of sessions, as {@link java.util.UUID} writes them. */
  Pattern SESSION = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

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
  record Systemctl(UnitName unit, UnitVerb verb, Optional<KillSignal> signal) implements Question {
    public Systemctl {
      if (signal.isPresent() != (verb == UnitVerb.KILL)) {
        throw new IllegalArgumentException(
            verb == UnitVerb.KILL
                ? "kill needs a signal"
                : "%s takes no signal".formatted(verb.text()));
      }
    }
  }

  /**
   * Runs a command on the machine, until it ends or the answer is closed. The answer is frames, as
   * {@link ExecFrame} writes them; its exit status is that of the command.
   *
   * @param session a name that nobody guesses, by which input follows
   * @param command a program and its arguments
   * @param terminal what the command runs on; empty for pipes
   */
  record Exec(String session, List<String> command, Optional<ExecTerminal> terminal)
      implements Question {

    /** The most that a command line may have, in characters. */
    public static final int LONGEST = 64 << 10;

    public Exec {
      command = List.copyOf(command);
      require(SESSION.matcher(session).matches(), "session", session, "a UUID");
      require(
          !command.isEmpty() && !command.getFirst().isEmpty(), "command", "", "a program to run");
      if (command.stream().anyMatch(word -> word.indexOf(0) >= 0)) {
        throw new IllegalArgumentException("invalid command: a word has a zero byte");
      }
      if (command.stream().mapToInt(String::length).sum() > LONGEST) {
        throw new IllegalArgumentException(
            "invalid command: it is longer than %d characters".formatted(LONGEST));
      }
    }
  }

  /**
   * Input for a command that runs. The answer is how many bytes of input the command has been given
   * in total: fewer than were sent if it does not read. Bytes that it has already are left out.
   *
   * @param offset how many bytes of input came before these
   * @param last whether the input ends here
   */
  @SuppressWarnings("ArrayRecordComponent")
  record ExecInput(String session, long offset, byte[] data, boolean last) implements Question {

    /** The most bytes of one piece. */
    public static final int LONGEST = 64 << 10;

    public ExecInput {
      require(SESSION.matcher(session).matches(), "session", session, "a UUID");
      require(offset >= 0, "offset", offset, "a number");
      require(data.length <= LONGEST, "input", data.length, LONGEST + " bytes at most");
    }

    /** Without the bytes, which may be secret. */
    @Override
    public String toString() {
      return "ExecInput[session=%s, offset=%d, bytes=%d, last=%s]"
          .formatted(session, offset, data.length, last);
    }
  }

  /** The terminal of a command that runs has another size. */
  record ExecWindow(String session, TerminalWindow window) implements Question {
    public ExecWindow {
      require(SESSION.matcher(session).matches(), "session", session, "a UUID");
    }
  }
}
