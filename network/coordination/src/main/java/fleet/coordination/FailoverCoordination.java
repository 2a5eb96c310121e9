package fleet.coordination;

import fleet.core.machine.Machine;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An agent's coordination in the way it prefers, and in another one while that does not work. Safe
 * for use by many threads.
 */
public final class FailoverCoordination implements AgentCoordination {

  private final AgentTransport preferred;
  private final AgentTransport other;
  private final EventLoop.Starter loops;
  private final Duration patience;
  private final Observer observer;

  /** Whether a way may lead anywhere. */
  public enum Prospect {
    /** This process is not so far that it could be tried. */
    UNPREPARED,
    /** It can be tried. */
    OPEN,
    /** Nobody is there to be reached by it. */
    NONE
  }

  /**
   * A way of coordination.
   *
   * @param name for messages, such as "the leader's RPC port"
   * @param prospect whether it makes sense to try; asked now and then, and never waits
   * @param remembers whether this machine, as booted now, is there in this way already, by an
   *     earlier process; may wait
   */
  public record AgentTransport(
      String name,
      AgentCoordination coordination,
      Supplier<Prospect> prospect,
      Predicate<Machine> remembers) {}

  /** Learns which way is taken. */
  @FunctionalInterface
  public interface Observer {
    /**
     * Called when that has changed; must not wait.
     *
     * @param isOther whether it is the other one, not the preferred one
     */
    void taken(boolean isOther);
  }

  /**
   * @param patience how long the cluster may not acknowledge this machine before the other way is
   *     taken, if it has units run on without; half of it if they would be stopped
   */
  public FailoverCoordination(
      AgentTransport preferred,
      AgentTransport other,
      EventLoop.Starter loops,
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
