package fleet.api;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import fleet.cluster.Event;
import fleet.cluster.Event.Payload;
import fleet.cluster.UnitView;
import fleet.core.access.Action;
import fleet.core.access.Target;
import fleet.core.unit.UnitName;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Selects the events that a follower asked for and may see. For one thread. */
final class EventFilter {

  /** If none is named, all units and the machines. */
  private final UnitSelection units;

  /** All if there are none. */
  private final Set<Event.Kind> kinds;

  private final boolean options;
  private final Access access;
  private final Targets targets;

  /**
   * Reads the parameters {@code unit}, {@code event} and {@code options}.
   *
   * @throws RefusedException if one of them is not understood
   */
  EventFilter(Exchange exchange) {
    this.units = UnitSelection.of(exchange.parameters("unit"));
    this.kinds =
        exchange.parameters("event").stream().map(EventFilter::kind).collect(toUnmodifiableSet());
    this.options = exchange.flag("options", true);
    this.access = exchange.access();
    this.targets = new Targets(exchange.cluster());
  }

  private static Event.Kind kind(String text) {
    return Event.Kind.of(text)
        .orElseThrow(() ->
            RefusedException.badRequest(
                "invalid event \"%s\": expected one of %s"
                    .formatted(
                        text,
                        Arrays.stream(Event.Kind.values())
                            .map(Event.Kind::text)
                            .sorted()
                            .collect(joining(", ")))));
  }

  /** Whether units come with the options of their files. */
  boolean hasOptions() {
    return options;
  }

  boolean has(Event.Body body) {
    return isWanted(body) && isSeen(body);
  }

  /** A gap concerns everybody. */
  private boolean isWanted(Event.Body body) {
    return body.kind() == Event.Kind.GAP
        || ((kinds.isEmpty() || kinds.contains(body.kind()))
            && (units.isEmpty() || body.subject().unit().filter(units::has).isPresent()));
  }

  /** Whether an event comes with the text of its unit. */
  boolean hasText(Event.Body body) {
    return options
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
