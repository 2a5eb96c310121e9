package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The change that a unit would see.
 *
 * @param change {@code placed}, {@code moved}, {@code left}, {@code started}, {@code stopped},
 *     {@code unplaced} or {@code stays}
 * @param from id of the machine that it is on
 * @param to id of the machine that it comes to
 * @param reason in one line
 */
@Json
public record PlannedChangeEntity(
    @Nullable String name,
    @Nullable String change,
    @Nullable String from,
    @Nullable String to,
    @Nullable String reason) {

  public PlannedChangeEntity {
    name = Absent.ifEmpty(name);
    change = Absent.ifEmpty(change);
    from = Absent.ifEmpty(from);
    to = Absent.ifEmpty(to);
    reason = Absent.ifEmpty(reason);
  }
}
