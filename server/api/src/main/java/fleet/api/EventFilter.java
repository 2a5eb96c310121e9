package fleet.api;

import fleet.cluster.Cluster;
import fleet.cluster.Event;
import fleet.cluster.Event.Payload;
import fleet.cluster.UnitView;
import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.unit.UnitName;
import java.util.stream.Stream;

/** Selects the events that a follower asked for and may see. For one thread. */
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
        && !(body.payload() instanceof Payload.OfUnit(UnitView unit)
            && !access.reads(unit, targets));
  }

  private boolean isSeen(Event.Body body) {
    if (!access.isLimited(Action.LIST) || body.kind() == Event.Kind.GAP) {
      return true;
    }
    if (body.kind() == Event.Kind.MACHINE) {
      targets.forgetMachines();
    }
    return body.payload() instanceof Payload.OfUnit(UnitView unit)
        ? sees(targets.of(unit))
        : isSeen(body.subject());
  }

  private boolean isSeen(Event.Subject subject) {
    Stream<String> machines =
        Stream.of(subject.machine(), subject.from()).filter(machine -> !machine.isEmpty());
    if (subject.unit().isEmpty()) {
      return machines.anyMatch(machine -> sees(targets.machine(machine)));
    }
    UnitName unit = subject.unit().get();
    return subject.machine().isEmpty()
        ? sees(targets.of(unit))
        : machines.anyMatch(machine -> sees(targets.on(unit, machine)));
  }

  private boolean sees(Target target) {
    return access.allows(Action.LIST, target);
  }
}
