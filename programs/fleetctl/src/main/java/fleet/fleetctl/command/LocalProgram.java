package fleet.fleetctl.command;

import fleet.fleetctl.client.MachineNames;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * Runs systemctl or journalctl here, for units of this machine: the only way with a daemon of fleet
 * 1.0, which cannot be asked.
 */
final class LocalProgram {

  private LocalProgram() {}

  /** Returns the exit code of the program. */
  static int run(CommandEnvironment session, String unit, String machine, List<String> command)
      throws CommandException {
    if (!machine.equals(thisMachine(session))) {
      throw CommandException.failed(
          "Unit "
              + unit
              + " is on "
              + MachineNames.shortId(machine)
              + ", and this fleetd is of fleet 1.0, which cannot ask it: run fleetctl there");
    }
    try {
      session.output().flush();
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      session.output().copy(process.getInputStream());
      return process.waitFor();
    } catch (IOException e) {
      throw CommandException.failed("cannot run " + command.getFirst() + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandException.failed("interrupted");
    }
  }

  /** The id of the machine that this runs on; empty if it has none. */
  static String thisMachine(CommandEnvironment session) {
    try {
      return Files.readString(session.machineId()).trim();
    } catch (IOException unknown) {
      return "";
    }
  }
}
