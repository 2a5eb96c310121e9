package fleet.coordination.store;

import fleet.coordination.AgentCoordination;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.coordination.ScheduleFollower;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;
import java.time.Duration;
import java.util.function.Consumer;

/** The agent's side of the coordination, through keys of the store. */
public final class StoreAgentCoordination implements AgentCoordination {

  private final SharedRegistry registry;
  private final EventLoop.Starter loops;
  private final Duration ttl;
  private final Consumer<String> onFatal;

  /**
   * @param ttl how long the machine may be silent before the cluster runs its units elsewhere
   * @param onFatal told once, with a message for the operator, where only a new process can go on:
   *     another machine with this one's id is there, or the store can be watched no more
   */
  public StoreAgentCoordination(
      SharedRegistry registry, EventLoop.Starter loops, Duration ttl, Consumer<String> onFatal) {
    this.registry = registry;
    this.loops = loops;
    this.ttl = ttl;
    this.onFatal = onFatal;
  }

  @Override
  public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
    throw new UnsupportedOperationException(
        "not yet: " + machine + registry + loops + ttl + onFatal);
  }
}
