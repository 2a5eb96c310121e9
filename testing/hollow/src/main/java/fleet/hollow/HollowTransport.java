package fleet.hollow;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;
import java.util.List;

/** How hollow machines reach the cluster. */
interface HollowTransport extends AutoCloseable {

  /** Has machines let into the cluster, if it asks who they are; returns when all are. */
  default void enrol(List<String> machines) throws InterruptedException {}

  /** One machine's own transport. */
  AgentCoordination open(Machine machine, EventLoop.Factory loops);

  @Override
  void close();
}
