package fleet.api;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import fleet.cluster.Event;
import java.util.Arrays;
import java.util.Set;

/**
 * The events that a follower wants.
 *
 * @param units the units; if none is named, all of them and the machines
 * @param kinds the kinds of events; all if there are none
 * @param options whether with the options of the units' files
 */
record EventSelection(UnitSelection units, Set<Event.Kind> kinds, boolean options) {

  EventSelection {
    kinds = Set.copyOf(kinds);
  }

  /**
   * Reads the parameters {@code unit}, {@code event} and {@code options}.
   *
   * @throws RefusedException if one of them is not understood
   */
  static EventSelection of(Exchange exchange) {
    return new EventSelection(
        UnitSelection.of(exchange.parameters("unit")),
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
    return body.kind() == Event.Kind.GAP
        || ((kinds.isEmpty() || kinds.contains(body.kind()))
            && (units.isEmpty() || body.subject().unit().filter(units::has).isPresent()));
  }
}
