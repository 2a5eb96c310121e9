package fleet.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The processor time of fleetd for the requests of {@code fleetctl list-units}, and for those of a
 * dashboard that is opened. Both in turns: a busy spell of the machine hits both. For one thread.
 */
final class ListingCosts {

  private static final int ROUNDS = 3;

  /** The kernel counts hundredths of a second, which are little of several listings. */
  private static final int LISTINGS = 5;

  private static final Pattern NEXT = Pattern.compile("\"nextPageToken\":\"([^\"]*)\"");

  private final String server;
  private final DoubleSupplier cpuSeconds;
  private final List<Double> listUnits = new ArrayList<>();
  private final List<Double> dashboard = new ArrayList<>();

  /**
   * Measures.
   *
   * @param cpuSeconds the processor time of that fleetd since it began
   */
  ListingCosts(InetSocketAddress api, DoubleSupplier cpuSeconds) {
    this.server = "http://" + api.getHostString() + ":" + api.getPort() + "/fleet/v1/";
    this.cpuSeconds = cpuSeconds;
    listUnits();
    openDashboard();
    for (int round = 0; round < ROUNDS; round++) {
      listUnits.add(cost(this::listUnits));
      dashboard.add(cost(this::openDashboard));
    }
  }

  /** Seconds of a processor for one {@code list-units}. */
  double ofListUnits() {
    return median(listUnits);
  }

  /** Seconds of a processor for a dashboard that is opened. */
  double ofDashboard() {
    return median(dashboard);
  }

  private double cost(Runnable listing) {
    double before = cpuSeconds.getAsDouble();
    for (int i = 0; i < LISTINGS; i++) {
      listing.run();
    }
    return (cpuSeconds.getAsDouble() - before) / LISTINGS;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private void listUnits() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      pages(client, "state?limit=1000", "identity");
      pages(client, "machines?limit=1000", "identity");
    }
  }

  /** As {@code cluster.js} and the overview do. */
  private void openDashboard() {
    try (HttpClient client = HttpClient.newHttpClient();
        InputStream _ = get(client, "events?options=0", "gzip").body()) {
      pages(client, "whoami?", "gzip");
      pages(client, "overview?", "gzip");
      pages(client, "machines?all=1&limit=5000", "gzip");
      pages(client, "unit-summaries?", "gzip");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pages(HttpClient client, String list, String encoding) {
    Optional<String> next = Optional.of("");
    while (next.isPresent()) {
      Matcher token =
          NEXT.matcher(text(get(client, list + "&nextPageToken=" + next.get(), encoding)));
      next = token.find() ? Optional.of(token.group(1)) : Optional.empty();
    }
  }

  private static String text(HttpResponse<InputStream> answer) {
    boolean compressed =
        answer.headers().firstValue("Content-Encoding").equals(Optional.of("gzip"));
    try (InputStream in = compressed ? new GZIPInputStream(answer.body()) : answer.body()) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<InputStream> get(HttpClient client, String path, String encoding) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server + path))
              .header("Accept-Encoding", encoding)
              .version(HttpClient.Version.HTTP_1_1)
              .build();
      HttpResponse<InputStream> answer =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      if (answer.statusCode() != 200) {
        throw new AssertionError(path + ": status " + answer.statusCode());
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
