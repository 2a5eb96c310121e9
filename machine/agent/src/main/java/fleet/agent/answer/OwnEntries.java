package fleet.agent.answer;

import fleet.core.audit.AuditEntry;
import fleet.core.question.Question;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Selects the entries of the audit log that fleetd itself has written, by journald's trusted
 * fields: anybody may call itself {@code fleet-audit}.
 *
 * @param unitField the field that names the unit of a writer
 * @param unit the unit in which fleetd runs
 * @param uid the user as whom it runs
 */
record OwnEntries(String unitField, String unit, String uid) {

  private static final String USUAL = "fleet.service";
  private static final Path CGROUP = Path.of("/proc/self/cgroup");
  private static final Path PROCESS = Path.of("/proc/self");

  /** The kinds of names that subjects have: most people leave them out. */
  private static final List<String> KINDS =
      List.of("", "user ", "person ", "certificate CN=", "machine ");

  /** Those of this process. */
  static OwnEntries here(boolean userManager) {
    try {
      return new OwnEntries(
          userManager ? "_SYSTEMD_USER_UNIT" : "_SYSTEMD_UNIT",
          unit(Files.readString(CGROUP), userManager),
          String.valueOf(Files.getAttribute(PROCESS, "unix:uid")));
    } catch (IOException e) {
      return new OwnEntries("_SYSTEMD_UNIT", USUAL, "0");
    }
  }

  /**
   * The unit of a process.
   *
   * @param cgroup what the kernel says of its control groups
   * @param userManager whether a user's unit is meant, which is below one of the system
   */
  static String unit(String cgroup, boolean userManager) {
    List<String> units =
        cgroup
            .lines()
            .filter(line -> line.startsWith("0::") || line.contains(":name=systemd:"))
            .flatMap(line -> Arrays.stream(line.substring(line.lastIndexOf(':') + 1).split("/")))
            .filter(part -> part.endsWith(".service") || part.endsWith(".scope"))
            .toList();
    if (units.isEmpty()) {
      return USUAL;
    }
    return userManager ? units.getLast() : units.getFirst();
  }

  /** The matches of journalctl for a question. */
  List<String> of(Question.Audit question) {
    List<String> matches =
        new ArrayList<>(
            List.of(
                "SYSLOG_IDENTIFIER=" + AuditEntry.IDENTIFIER,
                "_TRANSPORT=journal",
                unitField + "=" + unit,
                "_UID=" + uid));
    subjects(question.subject()).forEach(match -> matches.add(AuditEntry.SUBJECT + "=" + match));
    if (!question.target().isEmpty()) {
      matches.add(AuditEntry.TARGET + "=" + question.target());
    }
    return matches;
  }

  /** Matches of one field are alternatives to journalctl. */
  private static Stream<String> subjects(String subject) {
    return subject.isEmpty() ? Stream.empty() : KINDS.stream().map(kind -> kind + subject);
  }
}
