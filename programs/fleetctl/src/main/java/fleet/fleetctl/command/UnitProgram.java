package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.ssh.SshProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs systemctl or journalctl on the machine of a unit: here, or by ssh. The only way with a
 * daemon of fleet 1.0, which cannot be asked.
 */
final class UnitProgram {

  private UnitProgram() {}

  /**
   * Returns the exit code of the program.
   *
   * @param port of sshd there; 0 for that of ssh's configuration
   */
  static int run(
      CommandEnvironment session,
      GlobalOptions globals,
      FleetClient client,
      String machine,
      int port,
      List<String> command)
      throws CommandException, FleetException {
    return machine.equals(thisMachine(session))
        ? here(session, command)
        : there(new SshAccess(globals, session), client, machine, port, command);
  }

  private static int there(
      SshAccess ssh, FleetClient client, String machine, int port, List<String> command)
      throws CommandException, FleetException {
    String address = SshAccess.address(client.machines().list(), machine);
    // The shell there splits what ssh joins.
    List<String> words = command.stream().map(SshProgram::shellWord).collect(Collectors.toList());
    return ssh.copied(ssh.line(client, address, port, List.of("-T"), words));
  }

  private static int here(CommandEnvironment session, List<String> command)
      throws CommandException {
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
