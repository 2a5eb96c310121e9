package fleet.api;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Connection;

/**
 * Cuts lists into pages. The further pages of a connection are cut from the list that its first was
 * cut from: they are of one moment, and cost what is on them. A page token has no room for more
 * than fleet 1.0 wrote, so the connection is what remembers; who asks for a further page on another
 * one gets it from the list as it is then. Safe for use by many threads.
 */
final class Pages<T> {

  private static final long KEPT = Duration.ofSeconds(30).toNanos();

  private final int limit;
  private final Map<Connection, Pinned<T>> pinned =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * The list that a connection goes through.
   *
   * @param query what was asked for, but for the page
   * @param usedAt in nanoseconds
   */
  private record Pinned<T>(String query, List<T> items, long usedAt) {
    boolean isOf(String other) {
      return query.equals(other) && System.nanoTime() - usedAt < KEPT;
    }
  }

  /**
   * Cuts into pages.
   *
   * @param limit how many entities a page has
   */
  Pages(int limit) {
    this.limit = limit;
  }

  /** The page that a request asks for. */
  Page<T> page(Exchange exchange, Supplier<List<T>> list) {
    PageToken token = Tokens.of(exchange, limit);
    Connection connection = exchange.request().getConnectionMetaData().getConnection();
    String query = exchange.queryWithout(Tokens.PARAMETER);
    Optional<Pinned<T>> before = Optional.ofNullable(pinned.remove(connection));
    List<T> items =
        before
            .filter(pin -> token.page() > 1 && pin.isOf(query))
            .map(Pinned::items)
            .orElseGet(list);
    Page<T> page = Page.of(items, token);
    if (page.nextToken().isPresent()) {
      pinned.put(connection, new Pinned<>(query, items, System.nanoTime()));
    }
    return page;
  }
}
