package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.Event;
import fleet.cluster.UnitView;
import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.unit.UnitName;
import fleet.entities.ContextEntity;
import java.util.stream.Stream;

/** Picks the events that a follower wants to hear of and may. For one thread. */
final class EventFilter {

  private final EventSelection wanted;
  private final Access access;
  private final Targets targets;

  EventFilter(EventSelection wanted, Access access, Cluster cluster) {
    this.wanted = wanted;
    this.access = access;
    this.targets = new Targets(cluster);
  }

  boolean has(Event.Body body) {
    return wanted.has(body) && isSeen(body);
  }

  /** Whether an event comes with the text of its unit. */
  boolean hasText(Event.Body body) {
    return wanted.options()
        && !(body instanceof Event.UnitChanged(UnitView unit) && !access.reads(unit, targets));
  }

  private boolean isSeen(Event.Body body) {
    if (!access.isLimited(Action.LIST) || body instanceof Event.Gap) {
      return true;
    }
    if (body instanceof Event.MachineChanged) {
      targets.forgetMachines();
    }
    if (body instanceof Event.UnitChanged(UnitView unit)) {
      return sees(targets.of(unit));
    }
    ContextEntity about = EntityOf.context(body);
    return about != null && isSeen(about);
  }

  private boolean isSeen(ContextEntity about) {
    if (about.unit() == null) {
      return about.machine() != null && sees(targets.machine(about.machine()));
    }
    UnitName unit = UnitName.of(about.unit());
    return about.machine() == null
        ? sees(targets.of(unit))
        : Stream.of(about.machine(), about.from())
            .filter(machine -> machine != null)
            .anyMatch(machine -> sees(targets.on(unit, machine)));
  }

  private boolean sees(Target target) {
    return access.allows(Action.LIST, target);
  }
}
