package fleet.simulation.run;

import fleet.coordination.EventLoop;
import fleet.systemd.simulated.ConnectedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A process of a simulated machine: its threads and event loops run as long as it lives, wait while
 * it is frozen, and end in the middle of what they do when it is killed.
 */
public final class SimulatedProcess implements ConnectedProcess {

  /** How long a thread that could run waits for a processor. */
  private static final Duration TURN = Duration.ofNanos(50_000);

  private final Simulation simulation;
  private final String name;
  private final SimulatedThreads threads;
  private final List<Runnable> held = new ArrayList<>();

  /** Work that has arrived meanwhile; it keeps its order. */
  private final List<Runnable> arrived = new ArrayList<>();

  private boolean alive = true;
  private boolean frozen;

  public SimulatedProcess(Simulation simulation, String name) {
    this.simulation = simulation;
    this.name = name;
    this.threads = new SimulatedThreads(simulation, this::runSoon);
  }

  public Simulation simulation() {
    return simulation;
  }

  public String name() {
    return name;
  }

  public boolean isAlive() {
    return alive;
  }

  public boolean isFrozen() {
    return frozen;
  }

  /** Whether it gets round to anything at the moment. */
  public boolean runs() {
    return alive && !frozen;
  }

  /** No thread of it gets a turn any more; time passes all the same. */
  public void freeze() {
    frozen = true;
  }

  /** It goes on as if nothing had been. */
  public void thaw() {
    frozen = false;
    List<Runnable> inOrder = List.copyOf(arrived);
    List<Runnable> waiting = List.copyOf(held);
    arrived.clear();
    held.clear();
    inOrder.forEach(work -> after(Duration.ZERO, work));
    waiting.forEach(this::runSoon);
  }

  /** Ends it where it is: nothing is finished, and nobody is told. */
  public void kill() {
    alive = false;
    held.clear();
    arrived.clear();
  }

  /** Starts a thread. */
  public void spawn(String thread, Runnable work) {
    if (alive) {
      threads.start(
          name + " " + thread,
          (_, fault) -> {
            simulation.remark(name + " " + thread + ": " + fault);
            simulation.fault(fault);
          },
          work);
    }
  }

  /** Runs something in this process later; never if the process is killed before. */
  @Override
  public void after(Duration delay, Runnable work) {
    simulation.after(delay, () -> runNow(work, arrived));
  }

  /** Has the thread of this process that calls this wait. */
  @Override
  public void sleep(Duration time) {
    simulation.sleep(time);
  }

  /** One thread runs the whole simulation. */
  @Override
  public <T> T inTurn(Supplier<T> call) {
    return call.get();
  }

  public EventLoop.Factory loops() {
    return (loop, turnEnd) -> new SimulatedLoop(this, loop, turnEnd);
  }

  private void runSoon(Runnable continuation) {
    simulation.after(simulation.upTo(TURN), () -> runNow(continuation, held));
  }

  private void runNow(Runnable work, List<Runnable> whileFrozen) {
    if (!alive) {
      return;
    }
    if (frozen) {
      whileFrozen.add(work);
    } else {
      work.run();
    }
  }
}
