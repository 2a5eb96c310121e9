package fleet.fleetctl;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs several commands in one process, one for each argument: packaging records this run, which
 * makes each of them start fast. Those that begin with {@code terminal} print as on a terminal.
 */
public final class FleetctlRehearsal {

  private static final Pattern BLANKS = Pattern.compile(" +");
  private static final String TERMINAL = "terminal ";

  private FleetctlRehearsal() {}

  public static void main(String[] commandLines) {
    for (String commandLine : commandLines) {
      boolean terminal = commandLine.startsWith(TERMINAL);
      String command = terminal ? commandLine.substring(TERMINAL.length()) : commandLine;
      Main.run(List.of(BLANKS.split(command.strip())), terminal);
    }
    System.exit(0);
  }
}
