package fleet.hollow;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;

/** How hollow machines reach the cluster. */
interface Way extends AutoCloseable {

  /** One machine's own way. */
  AgentCoordination open(Machine machine, EventLoop.Starter loops);

  @Override
  void close();
}
