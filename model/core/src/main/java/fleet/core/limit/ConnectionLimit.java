package fleet.core.limit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits unauthenticated connections, in total and for each network. The newest stay, since honest
 * ones authenticate within milliseconds, and the oldest are silent ones. Safe for use by many
 * threads.
 *
 * @param <C> a connection, compared by identity
 */
public final class ConnectionLimit<C> {

  private final int most;
  private final int mostOfNetwork;
  private final Map<C, SourceNetwork> open = new LinkedHashMap<>();
  private final Map<SourceNetwork, SequencedSet<C>> ofNetwork = new HashMap<>();

  /**
   * @param mostOfNetwork at least one
   */
  public ConnectionLimit(int most, int mostOfNetwork) {
    this.most = most;
    this.mostOfNetwork = mostOfNetwork;
  }

  /**
   * Counts a new connection.
   *
   * @return an older one that the caller closes for it, and that is not counted any more
   */
  public synchronized Optional<C> enter(C connection, SourceNetwork from) {
    SequencedSet<C> neighbours = ofNetwork.computeIfAbsent(from, _ -> new LinkedHashSet<>());
    neighbours.add(connection);
    open.put(connection, from);
    if (neighbours.size() > mostOfNetwork) {
      return Optional.of(left(neighbours.getFirst()));
    }
    return open.size() > most
        ? Optional.of(left(open.keySet().iterator().next()))
        : Optional.empty();
  }

  private C left(C connection) {
    leave(connection);
    return connection;
  }

  /** The connection has ended, or has shown whose it is; nothing if it is not counted. */
  public synchronized void leave(C connection) {
    SourceNetwork from = open.remove(connection);
    if (from != null) {
      ofNetwork.computeIfPresent(from, (_, neighbours) -> without(connection, neighbours));
    }
  }

  private @Nullable SequencedSet<C> without(C connection, SequencedSet<C> neighbours) {
    neighbours.remove(connection);
    return neighbours.isEmpty() ? null : neighbours;
  }
}
