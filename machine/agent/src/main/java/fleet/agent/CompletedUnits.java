package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import java.util.HashMap;
import java.util.Map;

/**
 * Units that had run to their end by themselves before they were removed. The agent reports that
 * with the answer to their entry, so that the engine does not start them elsewhere. Owned by the
 * agent's event thread.
 */
final class CompletedUnits {

  private final Map<UnitName, Mark> marks = new HashMap<>();

  /** The unit is about to be removed, and its last start has run to its end. */
  void note(Mark mark) {
    marks.put(mark.unit(), mark);
  }

  /** The unit is scheduled again, or no longer wanted. */
  void forget(UnitName unit) {
    marks.remove(unit);
  }

  /** Whether the start of an entry had run to its end here. */
  boolean contains(ScheduleEntry entry) {
    Mark mark = marks.get(entry.unit());
    return mark != null
        && mark.incarnation().equals(entry.incarnation())
        && mark.started().orElse(-1) >= entry.restartCounter();
  }
}
