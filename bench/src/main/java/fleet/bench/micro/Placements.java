package fleet.bench.micro;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;
import fleet.scheduler.Scheduler;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Placements in a large cluster that is four fifths full, a unit going for each that comes. */
@State(Scope.Benchmark)
public class Placements {

  /** What the units that come ask for. */
  @Param({"plain", "mixed", "worst"})
  public String asking = "plain";

  /** By which machines are chosen. */
  @Param({"least-loaded"})
  public String strategy = "least-loaded";

  private final Scheduler scheduler = new Scheduler(7);
  private Population population = new Population(scheduler, 0, 0);
  private List<Requirements> sets = List.of();

  /** Makes the cluster. */
  @Setup
  public void populate() {
    Scheduler chosen = scheduler.withStrategy(strategy).orElseThrow();
    population = new Population(chosen, Population.MACHINES, Population.UNITS);
    List<Requirements> mixed = population.mixed();
    population.fill(Population.UNITS, mixed);
    sets =
        switch (asking) {
          case "plain" -> population.plain();
          case "worst" -> population.worst();
          default -> mixed;
        };
  }

  /** A unit goes; another comes, is placed, and the picture has it. */
  @Benchmark
  public boolean place() {
    population.removeOne();
    if (!population.place(sets)) {
      throw new IllegalStateException("a unit found no place");
    }
    return true;
  }

  /** A look at every unit that is placed, none of which has to go. */
  @Benchmark
  public int reconcile() {
    int going = 0;
    for (UnitName unit : population.placed()) {
      going += scheduler.objection(unit, population.picture()).isPresent() ? 1 : 0;
    }
    if (going > 0) {
      throw new IllegalStateException(going + " units would have to go");
    }
    return going;
  }
}
