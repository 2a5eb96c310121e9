package fleet.chaos;

import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One fault after the other, each undone before the next begins. For one thread. */
final class FaultInjection {

  private static final Fault[] ALL = Fault.values();

  private final FleetCluster cluster;
  private final History history;
  private final Random random;
  private final Consumer<String> told;

  FaultInjection(FleetCluster cluster, History history, long seed, Consumer<String> told) {
    this.cluster = cluster;
    this.history = history;
    this.random = new Random(seed);
    this.told = told;
  }

  void run(BooleanSupplier goesOn) {
    long start = Span.now();
    while (goesOn.getAsBoolean()) {
      rest(1_000, 6_000);
      Fault fault = ALL[random.nextInt(ALL.length)];
      FleetMachine machine = cluster.machines().get(random.nextInt(cluster.machines().size()));
      long began = Span.now();
      Runnable undo = fault.begin(cluster, machine, random);
      rest(500, 25_000);
      undo.run();
      Disturbance done = fault.during(machine.machine().name(), new Span(began, Span.now()));
      history.add(done);
      told.accept(
          "%.1f to %.1f s, %s: %s"
              .formatted(
                  (began - start) / 1e6,
                  (done.during().toMicros() - start) / 1e6,
                  done.where(),
                  done.what()));
    }
  }

  private void rest(int leastMillis, int mostMillis) {
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(leastMillis, mostMillis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
