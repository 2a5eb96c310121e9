package fleet.engine;

/** Counts what a batch of decisions does, for metrics. Owned by the state's loop. */
final class DecisionTally {

  private int taken;
  private int fromLost;
  private int fromUnable;
  private int unplaceable;

  /** A unit leaves its machine, which could run it further. */
  void took() {
    taken++;
  }

  /** A unit leaves a machine that is lost. */
  void tookFromLost() {
    taken++;
    fromLost++;
  }

  /** A unit leaves a machine that may not run it any more. */
  void tookFromUnable() {
    taken++;
    fromUnable++;
  }

  /** No machine is able to run a unit. */
  void foundNoMachine() {
    unplaceable++;
  }

  int taken() {
    return taken;
  }

  int fromLost() {
    return fromLost;
  }

  int fromUnable() {
    return fromUnable;
  }

  int unplaceable() {
    return unplaceable;
  }
}
