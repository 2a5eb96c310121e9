package fleet.engine;

import fleet.engine.decide.StormBrake;
import java.time.Duration;

/**
 * What an engine needs to know of its surroundings.
 *
 * @param agentTtl how long a machine may be silent: what an engine that begins to lead gives those
 *     it misses, where nobody led until a moment ago
 * @param isolationMargin how long after its loss a machine that stops its units by itself has time
 *     to do so; also what an engine that takes over gives the machines that it misses
 * @param reportsAwaited how long at least an engine that begins to lead waits for the machines that
 *     it misses, as they may be on their way to it; zero where machines speak through the store
 *     alone
 * @param storm when so many machines have vanished that their units had better stay
 * @param safetyPass how often everything is looked at although no event said so
 * @param eventsKept how many events are kept for those who follow
 * @param observerIdle how long a picture that only serves readers is kept after the last of them
 * @param standby when another engine is to keep itself ready to lead
 * @param patience how long a reader waits for a picture before it is told that there is none
 */
public record EngineSettings(
    Duration agentTtl,
    Duration isolationMargin,
    Duration reportsAwaited,
    StormBrake.Settings storm,
    Duration safetyPass,
    int eventsKept,
    Duration observerIdle,
    Standby standby,
    Duration patience) {

  /**
   * When there is a warm standby.
   *
   * @param fromUnits from how many units on; 0 where there is to be none
   * @param calm for how long the leader has decided nothing then: an engine that reads along is not
   *     to slow down a mass of new units
   * @param atMost how long that is waited for
   */
  public record Standby(int fromUnits, Duration calm, Duration atMost) {

    public static final Standby NEVER = from(0);

    /** Once some seconds were calm, or after some minutes. */
    public static Standby from(int units) {
      return new Standby(units, Duration.ofSeconds(10), Duration.ofMinutes(3));
    }
  }

  /** The usual ones, for machines that may be silent for so long and speak through the store. */
  public static EngineSettings of(Duration agentTtl) {
    return new EngineSettings(
        agentTtl,
        Duration.ofSeconds(2),
        Duration.ZERO,
        StormBrake.Settings.of(agentTtl),
        Duration.ofMinutes(5),
        10_000,
        Duration.ofSeconds(60),
        Standby.from(5_000),
        Duration.ofSeconds(10));
  }

  public EngineSettings withIsolationMargin(Duration margin) {
    return new EngineSettings(
        agentTtl,
        margin,
        reportsAwaited,
        storm,
        safetyPass,
        eventsKept,
        observerIdle,
        standby,
        patience);
  }

  /** For machines that may speak to the leader itself. */
  public EngineSettings withReportsAwaited(Duration wait) {
    return new EngineSettings(
        agentTtl,
        isolationMargin,
        wait,
        storm,
        safetyPass,
        eventsKept,
        observerIdle,
        standby,
        patience);
  }

  public EngineSettings withStorm(StormBrake.Settings brake) {
    return new EngineSettings(
        agentTtl,
        isolationMargin,
        reportsAwaited,
        brake,
        safetyPass,
        eventsKept,
        observerIdle,
        standby,
        patience);
  }

  public EngineSettings withObserverIdle(Duration idle) {
    return new EngineSettings(
        agentTtl,
        isolationMargin,
        reportsAwaited,
        storm,
        safetyPass,
        eventsKept,
        idle,
        standby,
        patience);
  }

  public EngineSettings withStandby(Standby when) {
    return new EngineSettings(
        agentTtl,
        isolationMargin,
        reportsAwaited,
        storm,
        safetyPass,
        eventsKept,
        observerIdle,
        when,
        patience);
  }

  public EngineSettings withPatience(Duration wait) {
    return new EngineSettings(
        agentTtl,
        isolationMargin,
        reportsAwaited,
        storm,
        safetyPass,
        eventsKept,
        observerIdle,
        standby,
        wait);
  }
}
