package fleet.coordination.store;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The agent's side of the coordination, through keys of the store: the machine's record and reports
 * are keys on its lease; its schedule is read and followed.
 */
public final class StoreAgentCoordination implements AgentCoordination {

  private final SharedRegistry registry;
  private final EventLoop.Factory loops;
  private final Duration ttl;
  private final Consumer<String> onFatal;
  private final Supplier<Optional<String>> objection;

  /**
   * @param ttl how long the machine may be silent before the cluster runs its units elsewhere; in
   *     whole seconds
   * @param onFatal told once for each session, on the session's loop, with a message for the
   *     operator, when only a new process can go on: another machine with this one's id is there,
   *     or the store is another one, or can be watched no more
   * @param objection why this process may not speak for its machine, empty if it may; asked before
   *     each joining; may wait for the store
   */
  public StoreAgentCoordination(
      SharedRegistry registry,
      EventLoop.Factory loops,
      Duration ttl,
      Consumer<String> onFatal,
      Supplier<Optional<String>> objection) {
    this.registry = registry;
    this.loops = loops;
    this.ttl = ttl;
    this.onFatal = onFatal;
    this.objection = objection;
  }

  /**
   * Begins to join and returns at once. It retries while the store is away, and while a record of
   * this machine from before its boot exists. The follower gets its schedule once the machine is
   * present.
   */
  @Override
  public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    EventLoop loop = loops.start("coordination", () -> {});
    return loop.call(() ->
        new StoreSession(registry, loop, machine, ttl, objection, follower, answerer, onFatal));
  }
}
