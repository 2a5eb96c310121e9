package fleet.agent.answer;

import fleet.core.question.JournalFilter;
import fleet.core.question.Question.JournalEntries;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The command lines that give entries, first those there, then new ones. */
final class Journalctl {

  /** Fields for people; requests for whole entries get the rest. */
  private static final String FIELDS =
      String.join(
          ",",
          "MESSAGE",
          "PRIORITY",
          "SYSLOG_IDENTIFIER",
          "SYSLOG_PID",
          "_PID",
          "_COMM",
          "_HOSTNAME",
          "UNIT",
          "USER_UNIT",
          "OBJECT_SYSTEMD_UNIT",
          "OBJECT_SYSTEMD_USER_UNIT",
          "COREDUMP_UNIT",
          "COREDUMP_USER_UNIT",
          "_SYSTEMD_UNIT",
          "_SYSTEMD_USER_UNIT");

  private static final int MICROS = 1000;

  private final JournalEntries question;
  private final JournalFilter filter;
  private final List<String> selection;

  /**
   * Runs nothing.
   *
   * @param selection options and matches that say whose entries
   */
  Journalctl(JournalEntries question, JournalFilter filter, List<String> selection) {
    this.question = question;
    this.filter = filter;
    this.selection = List.copyOf(selection);
  }

  /** Selects what units write, and what is written about them. */
  static List<String> of(List<UnitName> units, boolean userManager) {
    return units.stream().map(unit -> (userManager ? "--user-unit=" : "--unit=") + unit).toList();
  }

  /**
   * A command line.
   *
   * @param behind the cursor of an entry to leave out, if it comes first; empty for none
   * @param newest how many of its last entries are wanted
   */
  record Command(List<String> words, String behind, int newest) {}

  /** Gives entries already there; the last line names the cursor to go on from, if there is one. */
  Command past() {
    List<String> words = common();
    words.add("--show-cursor");
    if (!question.after().isEmpty()) {
      words.add("--cursor=" + question.after());
    } else {
      question.since().ifPresent(since -> words.add(since(since)));
    }
    filter.until().ifPresent(until -> words.add("--until=" + at(until)));
    if (filter.searches()) {
      return new Command(words, question.after(), question.lines());
    }
    if (question.lines() < JournalEntries.ALL) {
      words.add("--lines=" + question.lines());
    }
    return new Command(words, question.after(), JournalEntries.ALL);
  }

  /**
   * Gives entries written from then on.
   *
   * @param cursor of the last entry that was there; empty if none was
   * @param begun when {@link #past} began
   */
  Command future(String cursor, Instant begun) {
    List<String> words = common();
    words.addAll(List.of("--follow", "--no-tail"));
    words.add(cursor.isEmpty() ? since(begun) : "--cursor=" + cursor);
    return new Command(words, cursor, JournalEntries.ALL);
  }

  private List<String> common() {
    List<String> command =
        new ArrayList<>(List.of("journalctl", "--quiet", "--no-pager", "--all", "--output=json"));
    command.addAll(selection);
    if (!filter.priority().isEmpty()) {
      command.add("--priority=" + filter.priority());
    }
    if (!filter.grep().isEmpty()) {
      command.add("--grep=" + filter.grep());
    }
    if (filter.boot()) {
      command.add("--boot");
    }
    if (!question.whole()) {
      command.add("--output-fields=" + FIELDS);
    }
    return command;
  }

  private static String since(Instant time) {
    return "--since=" + at(time);
  }

  private static String at(Instant time) {
    return "@%d.%06d".formatted(time.getEpochSecond(), time.getNano() / MICROS);
  }
}
