package fleet.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All units of a run, given to the API some hundred in each request over a few connections. The
 * requests are made before the first is sent, since making them is not what is measured.
 */
final class Submission {

  private static final int CONNECTIONS = 4;
  private static final int UNITS_AT_ONCE = 400;
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final int MOST_AGAIN = 20;

  /** Created; or changed, if the unit was created before the answer got lost. */
  private static final String DONE = "\"status\":20";

  private final InetSocketAddress server;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();

  private record Request(String body, int units) {}

  Submission(InetSocketAddress server, ScaleUnits units) {
    this.server = server;
    for (int first = 0; first < units.count(); first += UNITS_AT_ONCE) {
      int end = Math.min(units.count(), first + UNITS_AT_ONCE);
      String body =
          IntStream.range(first, end)
              .mapToObj(units::json)
              .collect(Collectors.joining(",", "{\"units\":[", "]}"));
      requests.add(new Request(body, end - first));
    }
  }

  /** Returns when the API has acknowledged all of them. */
  void run() {
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> connections = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        connections.add(
            executor.submit(() -> {
              submit();
              return null;
            }));
      }
      for (Future<?> connection : connections) {
        var _ = connection.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("not all units could be submitted: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void submit() throws IOException {
    try (var connection = new ApiConnection(server)) {
      Request request;
      while ((request = requests.poll()) != null) {
        ApiConnection.Answer answer = put(connection, request);
        if (answer.status() != OK || done(answer.body()) != request.units()) {
          throw new AssertionError(answer.status() + " " + answer.body());
        }
      }
    }
  }

  /** A request that cannot be served for now is made again; the clock runs on. */
  private static ApiConnection.Answer put(ApiConnection connection, Request request)
      throws IOException {
    ApiConnection.Answer answer =
        connection.exchange("PUT", "/fleet/v1/units", request.body().getBytes(UTF_8));
    for (int again = 0; answer.status() == UNAVAILABLE && again < MOST_AGAIN; again++) {
      answer = connection.exchange("PUT", "/fleet/v1/units", request.body().getBytes(UTF_8));
    }
    return answer;
  }

  private static int done(String answer) {
    int count = 0;
    for (int at = answer.indexOf(DONE); at >= 0; at = answer.indexOf(DONE, at + 1)) {
      count++;
    }
    return count;
  }
}
