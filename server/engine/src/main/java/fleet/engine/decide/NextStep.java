package fleet.engine.decide;

import fleet.core.schedule.TargetState;
import fleet.scheduler.Decision;

/** The leader's next step about one unit. */
public sealed interface NextStep {

  /** Look for a machine. */
  record Choose() implements NextStep {}

  /** The machine is to do something else with the unit: load it, launch it, launch it again. */
  record Retarget(TargetState target, long restartCounter) implements NextStep {}

  /** The unit's content has changed: its machine is to run the new one instead. */
  record ReplaceInPlace(Decision.Placed place) implements NextStep {}

  /** The unit must leave its machine: the first of the three steps of a move. */
  record BeginStopping(String why) implements NextStep {}

  /** The unit could stay, but is to move: it leaves once there is a place for it. */
  record MoveAway(String why) implements NextStep {}

  /** The unit has left its machine: its entry can go. */
  record Clear(String why) implements NextStep {}

  /**
   * The unit's machine is lost: look for another. Until there is one, the unit stays with its
   * machine, which may come back with it running.
   */
  record Relocate(String why) implements NextStep {}

  /**
   * The unit had run to its end when it left its machine, or the machine was lost: note that, so
   * that it is loaded and not started on its next machine.
   */
  record NoteEnd(String why) implements NextStep {}

  /** Nothing to do, or an agent has to act first. */
  record None() implements NextStep {}
}
