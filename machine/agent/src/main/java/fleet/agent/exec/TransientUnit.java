package fleet.agent.exec;

import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import java.util.ArrayList;
import java.util.List;

/**
 * The transient unit that a command runs in, and the command lines for it. systemd starts the
 * command: it is no child of fleetd, and none of fleetd's confinement holds for it.
 *
 * @param name of the unit, with its type
 * @param userManager whether the user's manager starts it
 */
record TransientUnit(String name, boolean userManager) {

  /** All units of this kind. */
  static final String ALL = "fleet-exec-*.service";

  /**
   * Tells signals as shells do, 128 and the number, which systemd-run would not. The shell itself
   * outlives Ctrl-C.
   */
  private static final String REPORTING = "trap : INT QUIT; \"$@\"; exit $?";

  /** A command with a terminal writes this byte first. */
  static final byte BEGINNING = 0;

  private static final String MARKING = "printf '\\0'; ";

  /** The command gets as long to end once it has been told to. */
  private static final String STOP_SECONDS = "5";

  /**
   * @param id of hexadecimal digits, unlike any other
   */
  static TransientUnit of(String id, boolean userManager) {
    return new TransientUnit("fleet-exec-%s.service".formatted(id), userManager);
  }

  /** Runs the command, and ends with its exit status. */
  List<String> run(Question.Exec exec) {
    List<String> line = new ArrayList<>(List.of("systemd-run", "--quiet", "--wait", "--collect"));
    line.add("--unit=" + name);
    line.add("--description=a command of fleetctl exec");
    line.add(exec.terminal().isPresent() ? "--pty" : "--pipe");
    exec.terminal().map(ExecTerminal::type).ifPresent(type -> line.add("--setenv=TERM=" + type));
    property(line, "SendSIGHUP=yes");
    property(line, "TimeoutStopSec=" + STOP_SECONDS);
    if (userManager) {
      line.add("--user");
    } else {
      // With the variables and the directory that a login has.
      property(line, "User=root");
    }
    property(line, "WorkingDirectory=-~");
    String marking = exec.terminal().isPresent() ? MARKING : "";
    line.addAll(List.of("--", "/bin/sh", "-c", marking + escaped(REPORTING), "sh"));
    exec.command().stream().map(TransientUnit::escaped).forEach(line::add);
    return line;
  }

  private static void property(List<String> line, String property) {
    line.add("--property=" + property);
  }

  /** systemd puts in variables of the unit otherwise. */
  private static String escaped(String word) {
    return word.replace("$", "$$");
  }

  /** Ends the command, without waiting for that. */
  List<String> stop() {
    return Programs.systemctl(userManager, "stop", "--no-block", "--", name);
  }

  /** Prints the terminal of the command, such as {@code /dev/pts/3}. */
  List<String> terminal() {
    return Programs.systemctl(userManager, "show", "--property=TTYPath", "--value", "--", name);
  }
}
