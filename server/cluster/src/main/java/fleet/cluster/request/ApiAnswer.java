package fleet.cluster.request;

import fleet.core.collection.OrderedCopy;
import java.io.IOException;
import java.util.Map;

/** Where the answer to an {@link ApiRequest} goes. For one thread, which may be held up. */
public interface ApiAnswer {

  /**
   * The head of an answer, before its body.
   *
   * @param status of HTTP
   * @param headers by name
   * @param isEndless whether the end of the body is open: it is sent as it is written
   */
  record Head(int status, Map<String, String> headers, boolean isEndless) {
    public Head {
      headers = OrderedCopy.of(headers);
    }
  }

  /** Answers with this body, which is all. */
  default void whole(Head head, byte[] body) throws IOException {
    begin(head);
    write(body, body.length);
    end(Map.of());
  }

  /** Begins an answer that is written bit by bit, and ended. */
  void begin(Head head) throws IOException;

  /** Goes on with it. */
  void write(byte[] bytes, int length) throws IOException;

  /**
   * Goes on with it; if it breaks off after this, another leader continues after the position. Both
   * arrive together or not at all: otherwise the next leader would send the same events again.
   *
   * @param events whole ones; may be empty
   * @param lastEventId the position after them, as the request would name it
   */
  default void write(byte[] events, String lastEventId) throws IOException {
    write(events, events.length);
  }

  /**
   * Ends it.
   *
   * @param trailers by name
   */
  void end(Map<String, String> trailers) throws IOException;

  /**
   * Ends it early: the present leader sends what follows the last position. A client sees the end,
   * and reconnects; a relaying fleetd learns that there is more, and asks for it.
   */
  default void continueElsewhere() throws IOException {
    end(Map.of());
  }

  /** Whether some of it may have been sent: then it cannot be replaced any more. */
  boolean isBegun();

  /**
   * Runs something once, on any thread, when an endless answer has no reader any more.
   *
   * @return to be closed once the answer has ended
   */
  Watch onGone(Runnable action);

  /** A registration by {@link ApiAnswer#onGone}, which ends when it is closed. */
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }
}
