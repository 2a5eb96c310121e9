package fleet.cluster;

import java.time.Instant;

/** Where a stream of events begins. */
public sealed interface EventsFrom {

  EventsFrom NOW = new Now();
  EventsFrom BEGINNING = new Beginning();

  /** With what happens from now on. */
  record Now() implements EventsFrom {}

  /** With the oldest event that is kept. */
  record Beginning() implements EventsFrom {}

  /**
   * After an event, such as the last one of an earlier stream. If the next events are not kept or
   * not known, a {@link Event.Kind#GAP} comes instead, for another epoch's position also the
   * leader, and then new events.
   */
  record After(EventId position) implements EventsFrom {}

  /**
   * With the first event at or after a time. If some since then are not kept, a {@link
   * Event.Kind#GAP} comes first, and then all that are kept.
   */
  record Since(Instant time) implements EventsFrom {}
}
