package fleet.bench.scale;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** All units of a run, given to the API one by one over some connections. */
final class Submission {

  private static final int CONNECTIONS = 256;
  private static final int CREATED = 201;

  private final InetSocketAddress server;
  private final ScaleUnits units;
  private final AtomicInteger next = new AtomicInteger();

  Submission(InetSocketAddress server, ScaleUnits units) {
    this.server = server;
    this.units = units;
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
    try (var connection = new HttpConnection(server)) {
      int number;
      while ((number = next.getAndIncrement()) < units.count()) {
        HttpConnection.Answer answer =
            connection.exchange("PUT", "/fleet/v1/units/" + units.name(number), units.json(number));
        if (answer.status() != CREATED) {
          throw new AssertionError(
              units.name(number) + ": " + answer.status() + " " + answer.body());
        }
      }
    }
  }
}
