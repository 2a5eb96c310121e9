package fleet.cluster;

import fleet.core.operation.Operation;
import fleet.core.text.EnumText;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.stream.Stream;

/**
 * The progress of an operation, or how it ended.
 *
 * @param details of the request, for people; may be empty
 * @param waitsFor what blocks it while none of its units is moving; empty for nothing
 * @param steps one for each remaining unit
 */
public record OperationProgress(
    Operation operation, String details, String waitsFor, List<Step> steps) {

  public OperationProgress {
    steps = List.copyOf(steps);
  }

  /** Finds what it waits for in its steps. */
  public OperationProgress(Operation operation, String details, List<Step> steps) {
    this(operation, details, operation.goesOn() ? held(operation, steps) : "", steps);
  }

  /** The same, which waits for this before anything else; empty if for nothing. */
  public OperationProgress heldBy(String why) {
    return why.isEmpty() ? this : new OperationProgress(operation, details, why, steps);
  }

  private static String held(Operation operation, List<Step> steps) {
    List<Step> held =
        steps.stream()
            .filter(step -> step.standing() == Standing.WAITS || step.standing() == Standing.STAYS)
            .toList();
    if (operation.paused() || held.isEmpty() || steps.stream().anyMatch(Step::isUnderWay)) {
      return "";
    }
    String more = held.size() == 1 ? "" : "; and " + (held.size() - 1) + " more";
    return held.getFirst().unit() + ": " + held.getFirst().detail() + more;
  }

  /** How many units are not done. */
  public int left() {
    return (int)
        steps.stream()
            .filter(step -> step.standing() != Standing.DONE && step.standing() != Standing.EXEMPT)
            .count();
  }

  /** The state of a unit in an operation. */
  public enum Standing implements EnumText {
    /** Its turn comes once something has happened. */
    WAITS,
    /** It is about to be stopped where it is. */
    NEXT,
    /** It is being stopped there. */
    LEAVING,
    /** It has been changed, and does not run yet. */
    STARTING,
    /** It runs with the new content, and has to be proven for some time. */
    PROVING,
    /** It has left its machine, or has its new content. */
    DONE,
    /** It stays until something changes. */
    STAYS,
    /** It stays as it is, and is meant to. */
    EXEMPT,
    /** It has been changed, and is not healthy. */
    FAILED;

    /** Whether something is still to happen to the unit. */
    public boolean isOpen() {
      return this == WAITS || isUnderWay();
    }

    private boolean isUnderWay() {
      return Stream.of(NEXT, LEAVING, STARTING, PROVING).anyMatch(this::equals);
    }
  }

  /**
   * A unit of it.
   *
   * @param from id of the machine that it leaves; empty if it need not leave one
   * @param to id of the machine where a place is kept for it; empty if none is. For a global unit,
   *     the machine that the step is about
   * @param detail how it is, what it waits for or why it stays; empty if the standing says all
   */
  public record Step(UnitName unit, Standing standing, String from, String to, String detail) {

    private boolean isUnderWay() {
      return standing.isUnderWay();
    }
  }
}
