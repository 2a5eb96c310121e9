package fleet.simulation.store;

import fleet.simulation.run.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One machine's way to the store. */
public final class StoreConnection {

  /** About how long one way takes if nothing is wrong. */
  public static final Duration USUAL = Duration.ofMillis(1);

  private final Simulation simulation;
  private final List<Runnable> waiting = new ArrayList<>();
  private Duration latency = USUAL;
  private boolean cut;
  private long sent;
  private long arrived;

  public StoreConnection(Simulation simulation) {
    this.simulation = simulation;
  }

  public boolean isCut() {
    return cut;
  }

  /** Nothing passes any more, in either direction, and nobody is told. */
  public void cut() {
    cut = true;
  }

  public void heal() {
    cut = false;
    List<Runnable> woken = List.copyOf(waiting);
    waiting.clear();
    woken.forEach(Runnable::run);
  }

  /** About how long one way takes. */
  public void latency(Duration time) {
    latency = time;
  }

  /** How long this one message takes. */
  public Duration passage() {
    Duration jitter = simulation.upTo(latency);
    return simulation.chance(0.02) ? jitter.plus(latency.multipliedBy(20)) : jitter;
  }

  /**
   * Numbers the requests that change something: of whichever process, the machine is one writer.
   */
  long nextRequest() {
    return ++sent;
  }

  /** Whether a request is still let in: not once a later one of this machine was. */
  boolean letIn(long request) {
    boolean latest = request > arrived;
    arrived = Math.max(arrived, request);
    return latest;
  }

  void onceHealed(Runnable work) {
    waiting.add(work);
  }
}
