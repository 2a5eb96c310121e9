package fleet.agent;

/** Hears how a start has ended. Called on the agent's event thread. */
interface StartEnd {

  /**
   * A start has ended, or the unit runs.
   *
   * @param start as {@link LocalUnit#awaitEnd} gave it
   * @param problem in one line; empty if the unit's state says it all
   */
  void ended(LocalUnit unit, Object start, String problem);
}
