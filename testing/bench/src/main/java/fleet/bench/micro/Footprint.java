package fleet.bench.micro;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import fleet.scheduler.Demand;
import fleet.scheduler.Scheduler;
import java.util.List;

/**
 * The memory of the scheduler's layout: everything that is made with it, the units' names and the
 * machines' descriptions among it, and not what units of one file share.
 */
public record Footprint(double bytesPerMachine, double bytesPerUnit) {

  /** Makes a large cluster and weighs it. */
  public static Footprint measure() {
    Scheduler scheduler = new Scheduler();
    long before = used();
    var population = new Population(scheduler, Population.MACHINES);
    // The index is made when somebody looks.
    var _ =
        scheduler.choose(
            new Demand(UnitName.of("x.service"), Requirements.NONE), population.layout());
    long machines = used();
    List<Requirements> sets = population.mixed();
    long shared = used();
    population.fill(sets);
    long units = used();
    if (population.size() + sets.size() == 0) {
      throw new IllegalStateException("nothing was weighed");
    }
    return new Footprint(
        (double) (machines - before) / Population.MACHINES,
        (double) (units - shared) / population.size());
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
