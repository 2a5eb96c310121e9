package fleet.fleetd;

import fleet.api.MetricStore;
import fleet.core.machine.Machine;
import fleet.fleetd.machine.MachineFacts;

/**
 * A second machine's fleetd beside the rehearsing one while fleet is packaged: the code of their
 * exchange is recorded as well.
 */
public final class RehearsalNeighbour {

  private RehearsalNeighbour() {}

  /** Takes what fleetd takes. */
  public static void main(String[] arguments) {
    int exitCode =
        new Fleetd(System.getenv(), System.out, System.err, RehearsalNeighbour::start)
            .run(arguments);
    System.exit(exitCode);
  }

  private static RunningDaemon start(StartupInputs startup) throws Exception {
    return Daemon.start(
        new StartupInputs(
            startup.configuration(),
            MachineFacts.fixed(startup.configuration(), neighbourOf(startup.machine())),
            startup.notifier(),
            startup.environment(),
            startup.failed(),
            startup.audit(),
            new MetricStore()));
  }

  private static Machine neighbourOf(Machine machine) {
    return new Machine(
            new StringBuilder(machine.id()).reverse().toString(),
            machine.bootId(),
            machine.publicIp(),
            machine.metadata(),
            machine.version())
        .withIsolation(machine.isolation())
        .withResources(machine.total(), machine.kept());
  }
}
