package fleet.coordination;

import fleet.core.machine.Machine;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An agent's coordination over its preferred transport, with failover to another one. Safe for use
 * by many threads.
 */
public final class FailoverCoordination implements AgentCoordination {

  private final AgentTransport preferred;
  private final AgentTransport other;
  private final EventLoop.Factory loops;
  private final Duration patience;
  private final Observer observer;

  /** Whether a transport may work. */
  public enum Prospect {
    /** This process cannot try it yet. */
    UNPREPARED,
    /** It can be tried. */
    OPEN,
    /** There is no peer to reach. */
    NONE
  }

  /**
   * A transport.
   *
   * @param name for messages, such as "the leader's RPC port"
   * @param prospect whether it makes sense to try; asked repeatedly, and never waits
   * @param remembers whether this machine in this boot is already present over it, by an earlier
   *     process; may wait
   */
  public record AgentTransport(
      String name,
      AgentCoordination coordination,
      Supplier<Prospect> prospect,
      Predicate<Machine> remembers) {}

  /** Learns which transport is in use. */
  @FunctionalInterface
  public interface Observer {
    /**
     * Called when that has changed; must not wait.
     *
     * @param isOther whether it is not the preferred one
     */
    void taken(boolean isOther);
  }

  /**
   * @param patience how long acknowledgements may be missing before the failover, if units run on
   *     meanwhile; half of it if they would be stopped
   */
  public FailoverCoordination(
      AgentTransport preferred,
      AgentTransport other,
      EventLoop.Factory loops,
      Duration patience,
      Observer observer) {
    this.preferred = preferred;
    this.other = other;
    this.loops = loops;
    this.patience = patience;
    this.observer = observer;
  }

  @Override
  public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    EventLoop loop = loops.start("ways", () -> {});
    return loop.call(() ->
        new FailoverSession(
            loop, preferred, other, patience, observer, machine, follower, answerer));
  }
}
