package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The counters of an etcd since it began.
 *
 * @param values each counter by its name, labels included as etcd writes them
 */
public record EtcdMetrics(Map<String, Double> values) {

  private static final Pattern LINE = Pattern.compile("([^#\\s].*) ([-+0-9.eE]+|NaN|[+-]Inf)");
  private static final Pattern METHOD =
      Pattern.compile("grpc_server_msg_received_total\\{grpc_method=\"([^\"]+)\".*");
  private static final int TIMEOUT_MILLIS = 2000;

  public EtcdMetrics {
    values = Map.copyOf(values);
  }

  static EtcdMetrics read(URI base) {
    return parse(get(base.resolve("/metrics")));
  }

  static boolean isHealthy(URI base) {
    try {
      return get(base.resolve("/health")).contains("\"true\"");
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  static EtcdMetrics parse(String text) {
    var values = new TreeMap<String, Double>();
    text.lines()
        .map(LINE::matcher)
        .filter(Matcher::matches)
        .forEach(line -> values.put(line.group(1), number(line.group(2))));
    return new EtcdMetrics(values);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /**
   * The requests that clients sent, by method: {@code Txn}, {@code Range}, {@code LeaseKeepAlive}.
   * Each message on a stream counts.
   */
  public Map<String, Long> requests() {
    var requests = new TreeMap<String, Long>();
    values.forEach((name, value) -> {
      Matcher method = METHOD.matcher(name);
      if (method.matches() && value > 0) {
        requests.merge(method.group(1), value.longValue(), Long::sum);
      }
    });
    return requests;
  }

  /** The requests sent since an earlier reading of the same process. */
  public Map<String, Long> requestsSince(EtcdMetrics before) {
    var since = new TreeMap<>(requests());
    before.requests().forEach((method, count) -> since.merge(method, -count, Long::sum));
    since.values().removeIf(count -> count == 0);
    return since;
  }

  /** One counter, 0 if etcd has not told it. */
  public double value(String name) {
    return values.getOrDefault(name, 0.0);
  }

  /** Whether this member leads the others. */
  boolean leads() {
    return value("etcd_server_is_leader") == 1;
  }

  private static String get(URI uri) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try (var in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + uri + ": " + e.getMessage(), e);
    }
  }
}
