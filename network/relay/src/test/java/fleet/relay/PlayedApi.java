package fleet.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiAnswer.Head;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/** The API of a fleetd that leads, as a test wants it to be. */
final class PlayedApi implements ApiHandler {

  /** The requests that came, in words. */
  final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();

  /** How it answers; in a word, unless a test wants something else. */
  volatile ApiHandler answers;

  /** Says its name. */
  PlayedApi(String name) {
    answers = (_, answer) -> answer.whole(head(200), name.getBytes(UTF_8));
  }

  static Head head(int status) {
    return new Head(status, Map.of("Content-Type", "text/plain"), false);
  }

  static Head endless() {
    return new Head(200, Map.of("Content-Type", "text/event-stream"), true);
  }

  static void write(ApiAnswer answer, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    answer.write(bytes, bytes.length);
  }

  @Override
  public void handle(ApiRequest request, ApiAnswer answer)
      throws IOException, InterruptedException {
    Optional<byte[]> body = request.body(1 << 20);
    requests.add(
        "%s %s %s by %s%s%s%s"
            .formatted(
                request.method(),
                request.target(),
                body.map(bytes -> new String(bytes, UTF_8)).orElse("?"),
                request.caller(),
                request.isRepeated() ? ", repeated" : "",
                request.isContinued()
                    ? ", continued after " + request.headers("last-event-id")
                    : "",
                request.mustBeCertain() ? ", certain" : ""));
    answers.handle(request, answer);
  }
}
