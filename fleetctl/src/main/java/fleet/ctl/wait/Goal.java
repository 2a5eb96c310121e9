package fleet.ctl.wait;

/** What a command waits for, of one unit. Pure: the same sight gets the same verdict. */
public sealed interface Goal permits ActiveGoal, LoadedGoal, StoppedGoal, InactiveGoal, GoneGoal {

  /** The state that is waited for, for the message of a wait that takes too long. */
  String state();

  /** What stays behind when the user interrupts the wait, such as {@code remains scheduled}. */
  String whenInterrupted();

  Verdict judge(Sight sight);
}
