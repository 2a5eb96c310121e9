package fleet.agent.reconcile;

import fleet.core.schedule.ScheduleEntry;

/** The agent's next step about one unit, so that the machine comes to match its schedule. */
public sealed interface Step {

  /** Write the file and make it known to systemd. */
  record Place(ScheduleEntry entry) implements Step {}

  /** Ask systemd to start the unit, for the first time in this incarnation. */
  record Start(long restartCounter) implements Step {}

  /** Ask systemd to restart the unit, since another start was requested. */
  record Restart(long restartCounter) implements Step {}

  /** Stop the unit and keep it loaded. */
  record Stop() implements Step {}

  /** Stop the unit and remove it from the machine. */
  record Remove(String why) implements Step {}

  /** Tell the engine that the name is free here, for its entry. */
  record ReportGone(ScheduleEntry entry) implements Step {}

  /** Nothing to do. */
  record None() implements Step {}
}
