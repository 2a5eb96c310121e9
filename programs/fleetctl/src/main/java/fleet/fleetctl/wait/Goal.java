package fleet.fleetctl.wait;

/**
 * The state of one unit that a command waits for. Pure: the same snapshot gets the same verdict.
 */
public sealed interface Goal
    permits ActiveGoal, LoadedGoal, StoppedGoal, InactiveGoal, GoneGoal, GlobalGoal {

  /** The state that is waited for, for the message of a wait that takes too long. */
  String state();

  /**
   * The state that remains if the user interrupts, such as {@code remains scheduled}.
   *
   * @param last the last known snapshot
   */
  String whenInterrupted(UnitSnapshot last);

  Verdict judge(UnitSnapshot snapshot);
}
