package fleet.simulation;

import fleet.core.machine.Isolation;
import java.time.Duration;

/**
 * How the fleetds of a world are configured.
 *
 * @param agentTtl how long a machine may be silent
 * @param leaderLease how long a leader may be
 * @param requestTimeout how long a fleetd waits for the store
 * @param coordination how machines and the leader speak to each other
 * @param isolation what becomes of units while their machine is cut off
 * @param standbyFrom from how many units on a server keeps itself ready to lead; 0 if none does
 */
public record MachineSettings(
    Duration agentTtl,
    Duration leaderLease,
    Duration requestTimeout,
    Coordination coordination,
    Isolation isolation,
    int standbyFrom) {

  public static final MachineSettings USUAL =
      new MachineSettings(
          Duration.ofSeconds(8),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Coordination.STORE,
          Isolation.KEEP,
          0);

  private static final int SOME_UNITS = 3;

  public MachineSettings with(Coordination coordination) {
    return new MachineSettings(
        agentTtl, leaderLease, requestTimeout, coordination, isolation, standbyFrom);
  }

  /**
   * Those of every other seed have a warm standby as soon as there are some units, and those of
   * every third stop their units while they are cut off.
   */
  public MachineSettings ofSeed(long seed) {
    return new MachineSettings(
        agentTtl,
        leaderLease,
        requestTimeout,
        coordination,
        seed % 3 == 0 ? Isolation.STOP : Isolation.KEEP,
        seed % 2 == 0 ? SOME_UNITS : 0);
  }
}
