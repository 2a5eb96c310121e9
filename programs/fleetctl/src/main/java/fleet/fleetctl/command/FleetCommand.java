package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command: its fields are its flags. For one run. */
public abstract class FleetCommand {

  @Mixin GlobalOptions globals = new GlobalOptions();

  private @Nullable CommandEnvironment session;

  /** Runs the command; returns the exit code. */
  final int run(CommandEnvironment surroundings)
      throws CommandException, FleetException, UnitProblemException {
    session = surroundings;
    return run();
  }

  abstract int run() throws CommandException, FleetException, UnitProblemException;

  final CommandEnvironment session() {
    return Objects.requireNonNull(session);
  }

  final Output output() {
    return session().output();
  }

  final FleetClient client() throws CommandException {
    return globals.client(session());
  }

  /** For a command that only displays: marked stale answers are better than none. */
  final FleetClient onlooker() throws CommandException {
    return client().evenIfStale();
  }
}
