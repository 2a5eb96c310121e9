package fleet.api;

import fleet.cluster.request.ApiAnswer;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.Optional;

/** The answer to a request of this fleetd's own, kept in memory. */
final class HeldAnswer implements ApiAnswer {

  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private Optional<Head> head = Optional.empty();

  /** The body of the answer; empty if it was an error. */
  Optional<byte[]> body() {
    return head.filter(known -> known.status() == 200).map(_ -> held.toByteArray());
  }

  @Override
  public void whole(Head whole, byte[] body) {
    head = Optional.of(whole);
    held.writeBytes(body);
  }

  @Override
  public void begin(Head begun) {
    head = Optional.of(begun);
  }

  @Override
  public void write(byte[] bytes, int length) {
    held.write(bytes, 0, length);
  }

  @Override
  public void end(Map<String, String> trailers) {
    // The caller has returned by then.
  }

  @Override
  public boolean isBegun() {
    return head.isPresent();
  }

  @Override
  public Watch onGone(Runnable action) {
    return () -> {};
  }
}
