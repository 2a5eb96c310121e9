package fleet.simulation.run;

import fleet.systemd.simulated.SimulationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time and chance of a simulated world. Everything that happens is an event at a moment; time jumps
 * from one to the next, and all chance comes from one seed, so that a seed repeats a run exactly.
 * One thread runs it.
 */
public final class Simulation implements SimulationContext {

  private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  private final Random random;
  private final Trace trace = new Trace();
  private final List<Runnable> checks = new ArrayList<>();
  private final Consumer<Runnable> outside;
  private final Thread owner;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private long now;
  private long number;
  private volatile @Nullable Throwable fault;

  /** A fault that says by itself what is wrong. */
  public abstract static class Found extends RuntimeException {

    private static final long serialVersionUID = 1;

    protected Found(String message) {
      super(message);
    }
  }

  private record Event(long at, long number, Runnable work) {}

  /** A world of its own: whatever reaches it from outside is a fault of the code simulated. */
  public Simulation(long seed) {
    this(
        seed,
        _ -> {
          throw new IllegalStateException(
              Thread.currentThread()
                  + " woke a simulated thread; is a monitor held while something is awaited?");
        });
  }

  /**
   * @param outside gets, on foreign threads, what they want done; it is to be run on the thread
   *     that made this
   */
  public Simulation(long seed, Consumer<Runnable> outside) {
    this.random = new Random(seed);
    this.outside = outside;
    this.owner = Thread.currentThread();
  }

  @Override
  public long nanoTime() {
    return now;
  }

  /** Nanoseconds since the beginning. */
  public long now() {
    return now;
  }

  @Override
  public Instant instant() {
    return BEGINNING.plusNanos(now);
  }

  @Override
  public Random random() {
    return random;
  }

  public Trace trace() {
    return trace;
  }

  /** Writes down what happens. */
  public void happens(String line) {
    trace.add(now, line);
  }

  @Override
  public void happens(Supplier<String> line) {
    happens(line.get());
  }

  /** Writes down what helps to understand what happens. */
  public void remark(String line) {
    trace.remark(String.format(Locale.ROOT, "%12.6f   %s", now / 1e9, line));
  }

  /** A duration between none and this. */
  @Override
  public Duration upTo(Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  @Override
  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** Has something happen later. */
  @Override
  public void after(Duration delay, Runnable work) {
    events.add(new Event(now + Math.max(0, delay.toNanos()), number++, work));
  }

  /** Runs after each event, and throws if something is not as it must be. */
  public void check(Runnable invariant) {
    checks.add(invariant);
  }

  /** Something went wrong that nobody else would hear of: the run ends with it. */
  public void fault(Throwable thrown) {
    if (fault == null) {
      fault = thrown;
    }
  }

  /** Runs what happens within a time from now. */
  public void run(Duration time) {
    long end = now + time.toNanos();
    while (!events.isEmpty() && events.element().at <= end) {
      step();
    }
    now = end;
    requireNoFault();
  }

  /** Runs until nothing is left to happen. */
  public void runToTheEnd() {
    while (!events.isEmpty()) {
      step();
    }
  }

  private void step() {
    Event event = events.remove();
    now = event.at;
    event.work.run();
    checks.forEach(Runnable::run);
    requireNoFault();
  }

  private void requireNoFault() {
    if (fault instanceof Found found) {
      throw found;
    }
    if (fault != null) {
      throw new IllegalStateException("fault in simulated code: " + fault, fault);
    }
  }

  void begins(Thread thread) {
    threads.add(thread);
  }

  void ends(Thread thread) {
    threads.remove(thread);
  }

  /** Whether the caller is part of this world. */
  public boolean isInside() {
    return Thread.currentThread().equals(owner) || threads.contains(Thread.currentThread());
  }

  void inside(Runnable work) {
    if (isInside()) {
      work.run();
    } else {
      try {
        outside.accept(work);
      } catch (RuntimeException e) {
        fault(e);
      }
    }
  }

  /** Has the simulated thread that calls this wait. */
  void sleep(Duration time) {
    if (!Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("only simulated threads may wait");
    }
    var woken = new CompletableFuture<Boolean>();
    after(time, () -> woken.complete(true));
    boolean _ = woken.join();
  }
}
