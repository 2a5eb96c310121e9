package fleet.bench.micro;

import fleet.core.requirements.Requirements;
import fleet.scheduler.Scheduler;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Placements in a large cluster that is four fifths full, a unit going for each that comes. Or in
 * one of many smaller ones that are as large together, so that what is compared with the large one
 * has as much memory to look for it in.
 */
@State(Scope.Benchmark)
public class Placements {

  /** Requirements of the units that come. */
  @Param({"plain", "mixed", "worst"})
  public String asking = "plain";

  /** By which machines are chosen. */
  @Param({"least-loaded"})
  public String strategy = "least-loaded";

  /**
   * How many machines a cluster has, each with {@link Population#UNITS_PER_MACHINE} units. There
   * are as many clusters as have {@link Population#MACHINES} together.
   */
  @Param({"10000"})
  public int machines = Population.MACHINES;

  private final Scheduler scheduler = new Scheduler(7);
  private final Scheduler other = new Scheduler(7);
  private Scheduler last = other;
  private List<Population> populations = List.of();
  private List<Requirements> sets = List.of();
  private int turn;

  /** Makes the clusters. */
  @Setup
  public void populate() {
    Scheduler chosen = scheduler.withStrategy(strategy).orElseThrow();
    populations =
        IntStream.range(0, Population.MACHINES / machines)
            .mapToObj(number -> new Population(chosen, machines, number))
            .toList();
    Population first = populations.getFirst();
    List<Requirements> mixed = first.mixed();
    populations.forEach(population -> population.fill(mixed));
    sets =
        switch (asking) {
          case "plain" -> first.plain();
          case "worst" -> first.worst();
          default -> mixed;
        };
  }

  /** A unit goes; another comes, is placed, and the layout has it. */
  @Benchmark
  public boolean place() {
    Population population = next();
    population.removeOne();
    if (!population.place(sets)) {
      throw new IllegalStateException("a unit found no place");
    }
    return true;
  }

  /** Whether anything has to go if nothing happened since the last look. */
  @Benchmark
  public int reconcile() {
    return reconcile(scheduler);
  }

  /** The same if nothing is known of the last look: each unit is judged. */
  @Benchmark
  public int reconcileAnew() {
    // Findings of one scheduler say nothing to the other, whose filters may be others.
    Scheduler next = last == scheduler ? other : scheduler;
    last = next;
    return reconcile(next);
  }

  /** The description of a machine changes, and each of its units is judged. */
  @Benchmark
  public int describe() {
    return next().describeOne();
  }

  private Population next() {
    turn = (turn + 1) % populations.size();
    return populations.get(turn);
  }

  private int reconcile(Scheduler by) {
    int going = by.objections(next().layout()).size();
    if (going > 0) {
      throw new IllegalStateException(going + " units would have to go");
    }
    return going;
  }
}
