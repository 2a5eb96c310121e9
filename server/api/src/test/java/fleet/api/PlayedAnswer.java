package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.request.ApiAnswer;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.Optional;

/** An answer as whoever asks gets it. */
final class PlayedAnswer implements ApiAnswer {

  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  Optional<Head> head = Optional.empty();
  boolean ended;
  boolean continued;

  int status() {
    return head.map(Head::status).orElse(0);
  }

  String body() {
    return body.toString(UTF_8);
  }

  @Override
  public void begin(Head begun) {
    head = Optional.of(begun);
  }

  @Override
  public void write(byte[] bytes, int length) {
    body.write(bytes, 0, length);
  }

  @Override
  public void end(Map<String, String> trailers) {
    ended = true;
  }

  @Override
  public void continueElsewhere() {
    continued = true;
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
