package fleet.fleetctl.client;

import fleet.fleetctl.http.HttpRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query that asks a list for some units only. Many names take several, since servers limit the
 * length of a request.
 *
 * @param query such as {@code unit=a.service&unit=b.service}
 * @param asked the names of this query, and of those before it
 */
record NameQuery(String query, Set<String> asked) {

  private static final int LIMIT = 4000;

  NameQuery {
    asked = Set.copyOf(asked);
  }

  static List<NameQuery> of(Collection<String> names) {
    List<NameQuery> filters = new ArrayList<>();
    Set<String> asked = new HashSet<>();
    StringBuilder query = new StringBuilder();
    for (String name : names) {
      String part = "unit=" + HttpRequest.escape(name);
      if (!query.isEmpty() && query.length() + 1 + part.length() > LIMIT) {
        filters.add(new NameQuery(query.toString(), asked));
        query.setLength(0);
      }
      query.append(query.isEmpty() ? "" : "&").append(part);
      asked.add(name);
    }
    if (!query.isEmpty()) {
      filters.add(new NameQuery(query.toString(), asked));
    }
    return filters;
  }

  /** The query for units by names and patterns; too many for one request are no query at all. */
  static String matching(Collection<String> patterns) {
    if (patterns.isEmpty()) {
      return "";
    }
    String query =
        patterns.stream()
            .map(pattern -> "match=" + HttpRequest.escape(pattern))
            .collect(Collectors.joining("&"));
    return query.length() > LIMIT ? "" : query;
  }

  /**
   * Whether an answer contains only what was asked for. fleet 1.0 ignores the filter and answers
   * with everything, so that no further query is needed.
   */
  boolean wasHeeded(Set<String> answered) {
    return asked.containsAll(answered);
  }
}
