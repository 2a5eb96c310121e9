package fleet.api;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The endless answers that are being sent. Safe for use by many threads. */
final class Streams {

  private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /** Refuses another one while fleetd stops. */
  void expectMore() {
    if (stopping) {
      throw new RefusedException(503, "fleetd is stopping");
    }
  }

  /** Registers the end of a stream, and ends it at once if fleetd stops. */
  void add(Runnable end) {
    ends.add(end);
    if (stopping) {
      end.run();
    }
  }

  void remove(Runnable end) {
    ends.remove(end);
  }

  /** Ends all streams, and lets none begin. */
  void endAll() {
    stopping = true;
    ends.forEach(Runnable::run);
  }
}
