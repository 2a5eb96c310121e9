package fleet.simulation.run;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where and when an executor of ours has them run, instead of on the JDK's
 * carrier threads. Whatever they wait for, be it a future, a lock or a semaphore, gives control
 * back to the simulation; so code that blocks is simulated as it is.
 *
 * <p>What they wait for must come from the simulation. If a thread of the real world wakes one, be
 * it a timer of the JDK or the one that hands over a contended monitor, no seed could repeat it.
 *
 * <p>The JDK has this constructor for its own tests: hence the {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED} that a simulation needs.
 */
final class SimulatedThreads {

  private final Simulation simulation;
  private final Thread.Builder.OfVirtual builder;

  SimulatedThreads(Simulation simulation, Executor scheduler) {
    this.simulation = simulation;
    try {
      Constructor<?> constructor =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      Executor guarded = continuation -> simulation.inside(() -> scheduler.execute(continuation));
      builder = (Thread.Builder.OfVirtual) constructor.newInstance(guarded);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "a simulation needs JDK 25 with --add-opens java.base/java.lang=ALL-UNNAMED: " + e, e);
    }
  }

  void start(String name, Thread.UncaughtExceptionHandler onFault, Runnable work) {
    Thread thread =
        builder
            .name(name)
            .uncaughtExceptionHandler(onFault)
            .unstarted(() -> {
              try {
                work.run();
              } finally {
                simulation.ends(Thread.currentThread());
              }
            });
    simulation.begins(thread);
    thread.start();
  }
}
