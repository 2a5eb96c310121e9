package fleet.cluster;

import java.time.Duration;
import java.util.List;

/**
 * Events in order. A reader that falls too far behind gets a {@link Event.Kind#GAP} in place of
 * what it missed. For one reader.
 */
public interface EventStream extends AutoCloseable {

  /** The position at which this stream began: nothing after it will be missed. */
  EventId start();

  /** The position of the newest event when this stream began. */
  EventId newest();

  /** The next events; empty if none came within the time. */
  List<Event> next(Duration atMost) throws InterruptedException;

  @Override
  void close();
}
