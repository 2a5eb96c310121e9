package fleet.engine;

import fleet.core.metric.Meter;
import fleet.engine.decide.StormBrake;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The surroundings of an engine.
 *
 * @param agentTtl how long a machine may be silent; an engine that begins to lead gives the
 *     machines it misses as long, if nobody led until a moment ago
 * @param isolationMargin how long after its loss a machine that stops its units by itself has time
 *     to do so; also what an engine that takes over gives the machines that it misses
 * @param reportsAwaited how long at least an engine that begins to lead waits for the machines that
 *     it misses, as they may be on their way to it; zero if machines speak through the store alone
 * @param storm when so many machines have vanished that their units stay with them
 * @param safetyPass how often everything is looked at although no event said so
 * @param eventsKept how many events are kept for those who follow
 * @param observerIdle how long a state that only serves readers is kept after the last of them
 * @param standby when another engine is to keep itself ready to lead
 * @param rest how long a unit must have been inactive when its machine goes for that to be its end,
 *     and not the moment between two starts, or its stop with the machine
 * @param reach whether machines can come to this engine at all
 * @param patience how long a reader waits for a state before it is told that there is none
 * @param meter counts the work of the engine
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
    Duration rest,
    RpcReachability reach,
    Duration patience,
    Meter meter) {

  /**
   * When there is a warm standby.
   *
   * @param fromUnits from how many units on; 0 if there is to be none
   * @param calm for how long the leader has decided nothing then: an engine that reads along is not
   *     to slow down a mass of new units
   * @param atMost how long the offer waits for that
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
        Duration.ofSeconds(10),
        RpcReachability.UNHINDERED,
        Duration.ofSeconds(10),
        Meter.NONE);
  }

  /** The same with some of them changed. */
  public EngineSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings of which some are about to be others. */
  public static final class Draft {
    private final EngineSettings before;
    public Duration isolationMargin;
    public Duration reportsAwaited;
    public StormBrake.Settings storm;
    public Duration observerIdle;
    public Standby standby;
    public Duration rest;
    public RpcReachability reach;
    public Duration patience;
    public Meter meter;

    private Draft(EngineSettings before) {
      this.before = before;
      this.isolationMargin = before.isolationMargin;
      this.reportsAwaited = before.reportsAwaited;
      this.storm = before.storm;
      this.observerIdle = before.observerIdle;
      this.standby = before.standby;
      this.rest = before.rest;
      this.reach = before.reach;
      this.patience = before.patience;
      this.meter = before.meter;
    }

    private EngineSettings settings() {
      return new EngineSettings(
          before.agentTtl,
          isolationMargin,
          reportsAwaited,
          storm,
          before.safetyPass,
          before.eventsKept,
          observerIdle,
          standby,
          rest,
          reach,
          patience,
          meter);
    }
  }
}
