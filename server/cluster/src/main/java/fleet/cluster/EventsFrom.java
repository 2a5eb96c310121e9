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
   * After an event, as when an earlier stream ended. If what follows it is not kept, or not known,
   * there is a {@link Event.Kind#GAP} instead, who leads if that is another epoch's position, and
   * then what happens from now on.
   */
  record After(EventId position) implements EventsFrom {}

  /**
   * With the first event at or after a time. If some since then are not kept, there is a {@link
   * Event.Kind#GAP} first, and then all that is kept.
   */
  record Since(Instant time) implements EventsFrom {}
}
