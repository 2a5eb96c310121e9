package fleet.api;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import fleet.cluster.Event;
import fleet.cluster.UnitView;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.Arrays;
import java.util.Set;

/**
 * The events that a follower wants.
 *
 * @param units the units; if none is named, all of them and the machines
 * @param kinds the kinds of events; all if there are none
 * @param options whether with the options of the units' files
 */
record EventSelection(UnitChoice units, Set<Event.Kind> kinds, boolean options) {

  EventSelection {
    kinds = Set.copyOf(kinds);
  }

  /**
   * Reads the parameters {@code unit}, {@code event} and {@code options}.
   *
   * @throws RefusedException where one of them is not understood
   */
  static EventSelection of(Exchange exchange) {
    return new EventSelection(
        UnitChoice.of(exchange.parameters("unit")),
        exchange.parameters("event").stream().map(EventSelection::kind).collect(toSet()),
        exchange.flag("options", true));
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

  /** A gap concerns everybody. */
  boolean has(Event.Body body) {
    return body instanceof Event.Gap
        || ((kinds.isEmpty() || kinds.contains(body.kind()))
            && (units.isEmpty() || isOfUnits(body)));
  }

  private boolean isOfUnits(Event.Body body) {
    return switch (body) {
      case Event.UnitCommanded commanded -> units.has(commanded.unit());
      case Event.Placed placed -> units.has(placed.unit());
      case Event.Moved moved -> units.has(moved.unit());
      case Event.Leaving leaving -> units.has(leaving.unit());
      case Event.Left left -> units.has(left.unit());
      case Event.UnitChanged(UnitView unit) -> units.has(unit.unit().name());
      case Event.UnitDestroyed(UnitName unit) -> units.has(unit);
      case Event.StateChanged(UnitState state) -> units.has(state.unit());
      case Event.StateGone(UnitName unit, String machine) -> units.has(unit);
      case Event.MachineCommanded commanded -> false;
      case Event.Configured configured -> false;
      case Event.TokenCommanded commanded -> false;
      case Event.AccessCommanded commanded -> false;
      case Event.AuthorityRotated rotated -> false;
      case Event.RolloutTold told -> units.has(told.rollout());
      case Event.RebalanceCommanded commanded -> false;
      case Event.RebalanceEnded ended -> false;
      case Event.MachineChanged changed -> false;
      case Event.MachineGone gone -> false;
      case Event.ReschedulingPaused paused -> false;
      case Event.ReschedulingResumed resumed -> false;
      case Event.LeaderChanged leader -> false;
      case Event.Gap gap -> true;
    };
  }
}
