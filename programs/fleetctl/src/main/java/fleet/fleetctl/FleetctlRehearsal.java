package fleet.fleetctl;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs several commands in one process, one for each argument: packaging records this run, which
 * makes each of them start fast.
 */
public final class FleetctlRehearsal {
  private static final Pattern BLANKS = Pattern.compile(" +");

  private FleetctlRehearsal() {}

  public static void main(String[] commandLines) {
    for (String commandLine : commandLines) {
      Main.run(List.of(BLANKS.split(commandLine.strip())));
    }
    System.exit(0);
  }
}
