package fleet.simulation;

import java.time.Duration;

/**
 * How the fleetds of a world are configured.
 *
 * @param agentTtl how long a machine may be silent
 * @param leaderLease how long a leader may be
 * @param requestTimeout how long a fleetd waits for the store
 */
public record MachineSettings(Duration agentTtl, Duration leaderLease, Duration requestTimeout) {

  public static final MachineSettings USUAL =
      new MachineSettings(Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1));
}
