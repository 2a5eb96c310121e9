package fleet.coordination.rpc;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Admission control: passes the messages of machines to the engine, in order, and only as many as
 * it processes within moments. When thousands of machines come to a new leader, requests of people
 * must not queue behind all of them. Belongs to the loop of its term.
 */
final class AdmissionQueue implements EngineCoordination.Listener {

  private static final int AT_A_TIME = 64;

  private final EventLoop loop;
  private final EngineCoordination.Listener engine;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean underWay;

  AdmissionQueue(EventLoop loop, EngineCoordination.Listener engine) {
    this.loop = loop;
    this.engine = engine;
  }

  private void hand(Runnable word) {
    waiting.add(word);
    if (!underWay) {
      next();
    }
  }

  private void next() {
    underWay = !waiting.isEmpty();
    for (int i = 0; i < AT_A_TIME && !waiting.isEmpty(); i++) {
      waiting.remove().run();
    }
    if (underWay) {
      engine.takenIn(() -> loop.post(this::next));
    }
  }

  @Override
  public void present(Machine machine) {
    hand(() -> engine.present(machine));
  }

  @Override
  public void reported(String machine, List<AgentReport> reports) {
    hand(() -> engine.reported(machine, reports));
  }

  @Override
  public void bid(String machine, Bid bid) {
    hand(() -> engine.bid(machine, bid));
  }

  @Override
  public void doubtful(Set<String> machines, Duration within) {
    hand(() -> engine.doubtful(machines, within));
  }

  @Override
  public void absent(String machine, String why) {
    hand(() -> engine.absent(machine, why));
  }

  @Override
  public void left(String machine, boolean emptied, String why) {
    hand(() -> engine.left(machine, emptied, why));
  }

  @Override
  public void takenOver(String machine, String how) {
    hand(() -> engine.takenOver(machine, how));
  }

  @Override
  public void takenIn(Runnable then) {
    hand(() -> engine.takenIn(then));
  }
}
