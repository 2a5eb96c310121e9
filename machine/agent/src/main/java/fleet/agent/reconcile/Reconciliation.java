package fleet.agent.reconcile;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import java.util.Optional;

/**
 * Compares a machine's schedule with its actual units. Pure.
 *
 * <p>A unit is started once for each restart counter. If it ended, failed or was stopped by
 * somebody else, it is not started again.
 */
public final class Reconciliation {

  private Reconciliation() {}

  /** The next step for one unit; after it, ask again. */
  public static Step next(Optional<ScheduleEntry> wanted, Optional<Presence> present) {
    if (wanted.isEmpty()) {
      return present.isEmpty() ? new Step.None() : new Step.Remove("no longer scheduled here");
    }
    ScheduleEntry entry = wanted.get();
    if (present.isEmpty()) {
      return entry.target() == TargetState.STOPPING
          ? new Step.ReportGone(entry)
          : new Step.Place(entry);
    }
    if (!present.get().incarnation().equals(entry.incarnation())) {
      return new Step.Remove("replaced by a new version");
    }
    return towards(entry, present.get());
  }

  private static Step towards(ScheduleEntry entry, Presence present) {
    return switch (entry.target()) {
      case STOPPING -> new Step.Remove("told to stop");
      case LOADED -> present.started().isPresent() ? new Step.Stop() : new Step.None();
      case LAUNCHED -> launch(entry.restartCounter(), present);
    };
  }

  private static Step launch(long restartCounter, Presence present) {
    if (present.started().isEmpty()) {
      return new Step.Start(restartCounter);
    }
    return present.started().getAsLong() < restartCounter
        ? new Step.Restart(restartCounter)
        : new Step.None();
  }
}
