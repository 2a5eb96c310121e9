package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.text.SingleLine;
import java.io.IOException;
import java.util.Optional;

/** Says whether this fleetd lives, and whether it can do its work. */
final class HealthResource {

  static final String HEALTH = "/healthz";
  static final String READINESS = "/readyz";
  static final String TYPE = "text/plain; charset=utf-8";

  private final Readiness readiness;

  HealthResource(Readiness readiness) {
    this.readiness = readiness;
  }

  /** An answer in words. */
  record Health(int status, String text) {
    String body() {
      return text + "\n";
    }
  }

  /** A process that answers lives. */
  static Health health() {
    return new Health(200, "ok");
  }

  Health readiness() throws InterruptedException {
    Optional<String> problem = readiness.problem();
    return problem
        .map(why -> new Health(503, "not ready: " + SingleLine.of(why)))
        .orElse(new Health(200, "ready"));
  }

  void answerHealth(Exchange exchange) throws IOException {
    exchange.allow("GET");
    reply(exchange, health());
  }

  void answerReadiness(Exchange exchange) throws IOException, InterruptedException {
    exchange.allow("GET");
    reply(exchange, readiness());
  }

  private static void reply(Exchange exchange, Health health) throws IOException {
    exchange.reply(health.status(), TYPE, health.body().getBytes(UTF_8));
  }
}
