package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import picocli.CommandLine.Mixin;

/** A command: its fields are its flags. */
public abstract class FleetCommand {

  @Mixin GlobalOptions globals = new GlobalOptions();

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  public abstract int run(CommandEnvironment session) throws CommandException, FleetException;

  final FleetClient client(CommandEnvironment session) throws CommandException {
    return globals.client(session);
  }

  /** For a command that only displays: marked stale answers are better than none. */
  final FleetClient onlooker(CommandEnvironment session) throws CommandException {
    return client(session).evenIfStale();
  }
}
