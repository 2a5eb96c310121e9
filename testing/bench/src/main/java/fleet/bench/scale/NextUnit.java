package fleet.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** One unit more, asked for at once and again until somebody takes it. */
final class NextUnit {

  private static final String PATH = "/fleet/v1/units/next.service";
  private static final String UNIT =
      """
      {"desiredState":"launched","options":[\
      {"section":"Service","name":"ExecStart","value":"/usr/bin/next"},\
      {"section":"X-Fleet","name":"MachineMetadata","value":"hollow=yes"}]}\
      """;
  private static final int PAUSE_MILLIS = 50;
  private static final int REFUSED = 400;
  private static final int BROKEN = 500;

  private final InetSocketAddress server;

  NextUnit(InetSocketAddress server) {
    this.server = server;
  }

  /**
   * Asks for it, and returns once the API names its machine.
   *
   * @return the moment, as {@link System#nanoTime} tells it
   */
  long awaitPlaced(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    boolean asked = false;
    while (System.nanoTime() < end) {
      try (var api = new ApiConnection(server)) {
        while (System.nanoTime() < end) {
          if (!asked) {
            asked = isTaken(api.exchange("PUT", PATH, UNIT.getBytes(UTF_8)));
          } else if (api.exchange("GET", PATH).body().contains("\"machineID\":\"")) {
            return System.nanoTime();
          }
          pause();
        }
      } catch (IOException away) {
        pause();
      }
    }
    throw new AssertionError("the next unit has no place within " + atMost);
  }

  private static boolean isTaken(ApiConnection.Answer answer) {
    if (answer.status() >= REFUSED && answer.status() < BROKEN) {
      throw new AssertionError("the next unit is refused: " + answer);
    }
    return answer.status() < REFUSED;
  }

  /** Nobody says when there is a leader. */
  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
