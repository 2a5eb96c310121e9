package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.text.SingleLine;
import java.io.IOException;

/** Says whether this fleetd lives, and whether it can do its work. */
final class HealthResource {

  static final String HEALTH = "/healthz";
  static final String READINESS = "/readyz";
  private static final String TYPE = "text/plain; charset=utf-8";

  private final Readiness readiness;

  HealthResource(Readiness readiness) {
    this.readiness = readiness;
  }

  /** A whole answer. */
  record WholeAnswer(int status, String type, String body) {

    /** One line of words. */
    static WholeAnswer of(int status, String text) {
      return new WholeAnswer(status, TYPE, text + "\n");
    }
  }

  /** A process that answers lives. */
  static WholeAnswer health() {
    return WholeAnswer.of(200, "ok");
  }

  WholeAnswer readiness() throws InterruptedException {
    return readiness
        .problem()
        .map(why -> WholeAnswer.of(503, "not ready: " + SingleLine.of(why)))
        .orElseGet(() -> WholeAnswer.of(200, "ready"));
  }

  void answerHealth(Exchange exchange) throws IOException {
    reply(exchange, health());
  }

  void answerReadiness(Exchange exchange) throws IOException, InterruptedException {
    reply(exchange, readiness());
  }

  private static void reply(Exchange exchange, WholeAnswer answer) throws IOException {
    exchange.reply(answer.status(), answer.type(), answer.body().getBytes(UTF_8));
  }
}
