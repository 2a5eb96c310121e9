package fleet.agent.answer;

import fleet.core.question.Question.JournalEntries;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The command lines that give the entries of some units, first those there, then new ones. */
final class Journalctl {

  /** What people read; the rest is left to those who ask for whole entries. */
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
  private final boolean userManager;

  Journalctl(JournalEntries question, boolean userManager) {
    this.question = question;
    this.userManager = userManager;
  }

  /** What is there; the last line names the cursor to go on from, where there is one. */
  List<String> past() {
    List<String> command = common();
    command.add("--show-cursor");
    if (!question.after().isEmpty()) {
      command.add("--after-cursor=" + question.after());
    } else {
      question.since().ifPresent(since -> command.add(since(since)));
    }
    if (question.lines() < JournalEntries.ALL) {
      command.add("--lines=" + question.lines());
    }
    return command;
  }

  /**
   * What is written from then on.
   *
   * @param cursor of the last entry that was there; empty where none was
   * @param begun when {@link #past} began
   */
  List<String> future(String cursor, Instant begun) {
    List<String> command = common();
    command.addAll(List.of("--follow", "--no-tail"));
    command.add(cursor.isEmpty() ? since(begun) : "--after-cursor=" + cursor);
    return command;
  }

  private List<String> common() {
    List<String> command =
        new ArrayList<>(List.of("journalctl", "--quiet", "--no-pager", "--all", "--output=json"));
    for (UnitName unit : question.units()) {
      command.add((userManager ? "--user-unit=" : "--unit=") + unit);
    }
    if (!question.whole()) {
      command.add("--output-fields=" + FIELDS);
    }
    return command;
  }

  private static String since(Instant time) {
    return "--since=@%d.%06d".formatted(time.getEpochSecond(), time.getNano() / MICROS);
  }
}
