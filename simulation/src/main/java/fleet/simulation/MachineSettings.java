package fleet.simulation;

import java.time.Duration;

/**
 * How the fleetds of a world are configured.
 *
 * @param agentTtl how long a machine may be silent
 * @param leaderLease how long a leader may be
 * @param requestTimeout how long a fleetd waits for the store
 * @param coordination how machines and the leader speak to each other
 */
public record MachineSettings(
    Duration agentTtl, Duration leaderLease, Duration requestTimeout, Coordination coordination) {

  public static final MachineSettings USUAL =
      new MachineSettings(
          Duration.ofSeconds(8), Duration.ofSeconds(5), Duration.ofSeconds(1), Coordination.STORE);

  public MachineSettings with(Coordination way) {
    return new MachineSettings(agentTtl, leaderLease, requestTimeout, way);
  }
}
