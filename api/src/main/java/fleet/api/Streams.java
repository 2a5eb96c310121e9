package fleet.api;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The answers without a foreseeable end that are being written. Safe for use by many threads. */
final class Streams {

  private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /**
   * Opens a stream for the calling thread to write.
   *
   * @param onEarlyEnd called where the client or the server ends it, beside an interrupt
   */
  OpenStream open(Exchange exchange, Runnable onEarlyEnd) {
    OpenStream stream = new OpenStream(this, exchange, onEarlyEnd);
    open.add(stream);
    if (stopping) {
      open.remove(stream);
      throw new RefusedException(503, "fleetd is stopping");
    }
    return stream;
  }

  void closed(OpenStream stream) {
    open.remove(stream);
  }

  /** Ends all streams, and lets none begin. */
  void endAll() {
    stopping = true;
    open.forEach(OpenStream::end);
  }
}
