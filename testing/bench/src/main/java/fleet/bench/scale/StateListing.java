package fleet.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All states of the cluster, in pages as fleetctl asks for them, as one fleetd lists them. */
final class StateListing {

  private static final int ROUNDS = 3;
  private static final Pattern NEXT = Pattern.compile("\"nextPageToken\":\"([^\"]*)\"");

  private final InetSocketAddress api;

  StateListing(InetSocketAddress api) {
    this.api = api;
  }

  /** The shortest of some rounds, in seconds. */
  double seconds() {
    double shortest = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      list();
      shortest = Math.min(shortest, (System.nanoTime() - start) / 1e9);
    }
    return shortest;
  }

  private void list() {
    try (var connection = new ApiConnection(api)) {
      Optional<String> next = Optional.of("");
      while (next.isPresent()) {
        ApiConnection.Answer page =
            connection.exchange("GET", "/fleet/v1/state?limit=1000&nextPageToken=" + next.get());
        if (page.status() != 200) {
          throw new AssertionError("no list of states: " + page);
        }
        next = nextOf(page.body());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<String> nextOf(String page) {
    // Beside the list, and so near its end or its beginning.
    Matcher found = NEXT.matcher(page);
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }
}
