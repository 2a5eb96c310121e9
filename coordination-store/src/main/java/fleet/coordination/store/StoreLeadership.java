package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;

/** Leadership by a key of the shared registry. */
public final class StoreLeadership implements Leadership {

  /** Takes no part before {@link #campaign}. */
  public StoreLeadership(
      SharedRegistry registry,
      Machine machine,
      LeadershipSettings settings,
      EventLoop.Starter loops) {}

  @Override
  public void campaign(Candidate candidate) {
    throw new UnsupportedOperationException("elections come with the next commit");
  }

  @Override
  public void close() {}
}
