package fleet.fleetctl.wait;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.function.UnaryOperator;

/** The words and peculiarities of one kind of operation. */
public abstract class OperationWords {

  private final String id;

  /** The machine, template or unit that it is about, as people name it. */
  final String name;

  private final boolean ofMoves;

  /**
   * @param ofMoves whether its units go to other machines; otherwise they get a new version
   */
  OperationWords(String id, String name, boolean ofMoves) {
    this.id = id;
    this.name = name;
    this.ofMoves = ofMoves;
  }

  /** The id of the operation. */
  public final String id() {
    return id;
  }

  final boolean isOfMoves() {
    return ofMoves;
  }

  /** Says that there is no such operation any more. */
  abstract String gone();

  /** Says that there is another of the same id. */
  final String replaced() {
    return "Another operation has taken the place of this one: see \"fleetctl operations show "
        + id
        + "\".";
  }

  /** Says that it continues unattended, and how to follow it again. */
  abstract String goesOn(boolean back);

  /** Says that it is paused. */
  final String paused() {
    return "paused: to continue, run \"fleetctl operations resume " + id + "\"";
  }

  /** Says that it is being reverted. */
  String turned(String why) {
    return gone();
  }

  /** Says before a unit's state that it has been changed, or changed back. */
  String changed(boolean back) {
    return back ? "has again what it had and " : "has the new content and ";
  }

  /**
   * The reason why a unit waits: its own, or that of the operation as a whole if the unit itself
   * says how it is.
   */
  final String waitsFor(String ofUnit, String ofOperation) {
    return ofMoves ? ofUnit : ofOperation;
  }

  /**
   * Whether nothing more is to be expected.
   *
   * @param done whether no unit is pending
   */
  boolean rests(String stage, boolean done) {
    return isOver(stage);
  }

  /** Whether nothing follows until somebody decides how it goes on. */
  boolean awaitsPeople(OperationEntity operation) {
    return false;
  }

  /** Whether nothing follows any more. */
  public static boolean isOver(OperationEntity operation) {
    return isOver(operation.stage());
  }

  private static boolean isOver(String stage) {
    return List.of("done", "undone", "cancelled").contains(stage);
  }

  /**
   * Reports the end; returns whether it was successful.
   *
   * @param names puts the names of machines in place of their ids
   */
  abstract boolean end(
      Output output, OperationEntity last, List<StepEntity> steps, UnaryOperator<String> names);

  static List<StepEntity> having(String standing, List<StepEntity> steps) {
    return steps.stream().filter(step -> standing.equals(step.standing())).toList();
  }
}
