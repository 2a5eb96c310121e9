package fleet.api;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Cuts lists into pages. Later pages on a connection come from the snapshot of the first page. A
 * page token has no room for more than fleet 1.0 wrote, so the snapshot belongs to the connection;
 * a later page on another connection comes from the present list. Safe for use by many threads.
 */
final class Pages<T> {

  private static final Duration KEPT = Duration.ofSeconds(30);
  private static final Executor AFTER =
      CompletableFuture.delayedExecutor(KEPT.toSeconds(), TimeUnit.SECONDS);

  private final int limit;
  private final Map<String, Pinned<T>> pinned = new ConcurrentHashMap<>();
  private final AtomicLong pins = new AtomicLong();

  /**
   * The snapshot of a connection.
   *
   * @param query what was asked for, but for the page
   * @param number unlike that of any other
   */
  private record Pinned<T>(String query, List<T> items, long number) {}

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
    PageToken token = PageToken.of(exchange, limit);
    String connection = exchange.request().connection();
    String query = exchange.queryWithout(PageToken.PARAMETER);
    Optional<Pinned<T>> before = Optional.ofNullable(pinned.remove(connection));
    List<T> items =
        before
            .filter(pin -> token.page() > 1 && pin.query.equals(query))
            .map(pin -> pin.items)
            .orElseGet(list);
    Page<T> page = Page.of(items, token);
    if (page.nextToken().isPresent()) {
      keep(connection, new Pinned<>(query, items, pins.incrementAndGet()));
    }
    return page;
  }

  private void keep(String connection, Pinned<T> pin) {
    pinned.put(connection, pin);
    // The timer outlives the need for the list, and must not hold it.
    long number = pin.number;
    AFTER.execute(
        () -> pinned.computeIfPresent(connection, (_, now) -> now.number == number ? null : now));
  }
}
