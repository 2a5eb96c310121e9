package fleet.simulation.planted;

import fleet.simulation.Coordination;
import fleet.simulation.Lives;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * Looks for planted bugs, run by run, until something is found: {@code ./dev simulate --planted}.
 */
public final class Hunt {

  /** So many runs may be lived without anybody noticing. */
  static final int MOST = 300;

  /** The run to begin with if nothing is known: seed 1, through the store. */
  static final int FIRST = 1;

  private static final List<Coordination> WAYS = List.of(Coordination.values());

  private static final PrintStream OUT = System.out;

  private Hunt() {}

  /** Hunts for all of them, and ends with 1 unless each is found. */
  public static void main(String[] arguments) {
    List<Boolean> found = PlantedBug.all().stream().map(Hunt::isFound).toList();
    System.exit(found.contains(false) ? 1 : 0);
  }

  private static boolean isFound(PlantedBug bug) {
    Optional<Catch> caught = of(bug, FIRST);
    OUT.println(
        bug
            + caught
                .map(end -> "\n  run %d: %s".formatted(end.run(), end.told()))
                .orElse("\n  NOT FOUND in %d runs".formatted(MOST)));
    return caught.isPresent();
  }

  /**
   * The run that gave a bug away.
   *
   * @param run which one it was, counted from {@link #FIRST}
   * @param told what was wrong, in one line
   */
  record Catch(int run, String told) {}

  /**
   * Lives {@link #MOST} seeds at most, one after the other, in each way of coordination in turn.
   *
   * @param first the run to begin with; the one that found it before saves the way there
   * @return empty if nobody noticed
   */
  static Optional<Catch> of(PlantedBug bug, int first) {
    for (int run = first; run < first + MOST; run++) {
      Coordination coordination = WAYS.get((run - 1) % WAYS.size());
      Lives.End end = new Lives(run, coordination, bug.wiring()).live();
      if (!end.isGood()) {
        return Optional.of(new Catch(run, end.text()));
      }
    }
    return Optional.empty();
  }
}
