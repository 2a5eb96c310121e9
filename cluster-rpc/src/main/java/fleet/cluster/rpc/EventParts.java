package fleet.cluster.rpc;

import fleet.cluster.Event;
import fleet.rpc.v1.EventBatch;
import java.util.List;

/** Sends events, many of which have a unit's file, in batches that a reader takes. */
final class EventParts {

  /** With one file more it is still far below what a message may have. */
  private static final long LARGE = 512 << 10;

  private final Outlet<EventBatch> outlet;

  EventParts(Outlet<EventBatch> outlet) {
    this.outlet = outlet;
  }

  /** Nothing where there are none. */
  void send(List<Event> events) throws InterruptedException {
    Part part = new Part();
    for (Event event : events) {
      part.add(event);
      if (part.files.size() >= LARGE) {
        outlet.send(part.batch.build());
        part = new Part();
      }
    }
    if (part.batch.getEventsCount() > 0) {
      outlet.send(part.batch.build());
    }
  }

  /** Files are numbered anew in each. */
  private static final class Part {
    private final EventBatch.Builder batch = EventBatch.newBuilder();
    private final UnitFiles.Sent files = new UnitFiles.Sent(batch::addFiles);

    void add(Event event) {
      batch.addEvents(EventMessages.message(event, files));
    }
  }
}
