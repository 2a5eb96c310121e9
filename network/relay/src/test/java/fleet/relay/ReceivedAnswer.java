package fleet.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.request.ApiAnswer;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** An answer as a client gets it. */
final class ReceivedAnswer implements ApiAnswer {

  /** All that was written, piece by piece. */
  final LinkedBlockingQueue<String> pieces = new LinkedBlockingQueue<>();

  volatile @Nullable Head head;
  volatile @Nullable Map<String, String> trailers;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private volatile Runnable gone = () -> {};

  /** Held up before each piece, as by a client that does not read. */
  volatile Runnable beforePiece = () -> {};

  int status() {
    Head known = head;
    return known == null ? 0 : known.status();
  }

  synchronized String body() {
    return body.toString(UTF_8);
  }

  synchronized int size() {
    return body.size();
  }

  /** The client goes. */
  void leave() {
    gone.run();
  }

  @Override
  public void begin(Head begun) {
    head = begun;
  }

  @Override
  public void write(byte[] bytes, int length) {
    beforePiece.run();
    synchronized (this) {
      body.write(bytes, 0, length);
    }
    if (length > 0) {
      pieces.add(new String(bytes, 0, length, UTF_8));
    }
  }

  @Override
  public void end(Map<String, String> last) {
    trailers = last;
  }

  @Override
  public boolean isBegun() {
    return head != null;
  }

  @Override
  public Watch onGone(Runnable action) {
    gone = action;
    return () -> gone = () -> {};
  }
}
