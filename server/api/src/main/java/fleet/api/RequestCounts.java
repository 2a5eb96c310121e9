package fleet.api;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts answered requests, by outcome. Safe for use by many threads. */
final class RequestCounts {

  private static final Set<String> METHODS =
      Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT");

  /** One series. */
  record Kind(String method, int status) implements Comparable<Kind> {
    @Override
    public int compareTo(Kind other) {
      int byMethod = method.compareTo(other.method);
      return byMethod != 0 ? byMethod : Integer.compare(status, other.status);
    }
  }

  private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

  void count(String method, int status) {
    // Invented methods must not make endless series.
    Kind kind = new Kind(METHODS.contains(method) ? method : "other", status);
    counts.computeIfAbsent(kind, k -> new LongAdder()).increment();
  }

  Map<Kind, Long> read() {
    Map<Kind, Long> read = new TreeMap<>();
    counts.forEach((kind, count) -> read.put(kind, count.sum()));
    return read;
  }
}
