package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A unit that a rebalance moves.
 *
 * @param from id of the machine that it is to leave
 * @param to id of the machine that it is to go to
 * @param standing {@code next}, {@code leaving}, {@code waits}, {@code stays} or {@code moved}
 * @param reason what it waits for, or why it stays
 */
@Json
public record RebalancedUnitEntity(
    @Nullable String name,
    @Nullable String from,
    @Nullable String to,
    @Nullable String standing,
    @Nullable String reason) {

  public RebalancedUnitEntity {
    name = Absent.ifEmpty(name);
    from = Absent.ifEmpty(from);
    to = Absent.ifEmpty(to);
    standing = Absent.ifEmpty(standing);
    reason = Absent.ifEmpty(reason);
  }
}
