package fleet.bench.scale;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many there are of what, as a fleetd's API says in its metrics.
 *
 * @param active units that run
 */
record Census(int machines, int units, int active) {

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** A question is to take few of the processors' time that is measured. */
  private static final int PAUSE_PER_QUESTION = 20;

  private static final Pattern MACHINES = gauge("fleet_machines");
  private static final Pattern UNITS = gauge("fleet_units");
  private static final Pattern ACTIVE = gauge("fleet_unit_states{active=\"active\"}");

  private static Pattern gauge(String name) {
    return Pattern.compile("^" + Pattern.quote(name) + " (\\d+)$", Pattern.MULTILINE);
  }

  static Census read(ApiConnection api) throws IOException {
    String text = api.exchange("GET", "/metrics?cluster=true").body();
    return new Census(
        number(MACHINES, text).orElse(-1),
        number(UNITS, text).orElse(-1),
        number(ACTIVE, text).orElse(0));
  }

  private static Optional<Integer> number(Pattern gauge, String text) {
    Matcher found = gauge.matcher(text);
    return found.find() ? Optional.of(Integer.valueOf(found.group(1))) : Optional.empty();
  }

  /**
   * Asks until it is as wanted.
   *
   * @return the moment, as {@link System#nanoTime} tells it
   */
  static long await(
      InetSocketAddress server, Duration atMost, String what, Predicate<Census> wanted) {
    long end = System.nanoTime() + atMost.toNanos();
    Optional<Census> last = Optional.empty();
    while (System.nanoTime() < end) {
      try (var api = new ApiConnection(server)) {
        while (System.nanoTime() < end) {
          long asked = System.nanoTime();
          Census now = read(api);
          last = Optional.of(now);
          long told = System.nanoTime();
          if (wanted.test(now)) {
            return told;
          }
          pause(Duration.ofNanos(told - asked).multipliedBy(PAUSE_PER_QUESTION));
        }
      } catch (IOException away) {
        pause(SHORTEST_PAUSE);
      }
    }
    throw new AssertionError("not within %s: %s; it is %s".formatted(atMost, what, last));
  }

  /** Nothing announces a number. */
  private static void pause(Duration wanted) {
    long millis =
        Math.clamp(wanted.toMillis(), SHORTEST_PAUSE.toMillis(), LONGEST_PAUSE.toMillis());
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
