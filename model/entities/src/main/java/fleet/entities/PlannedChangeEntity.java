package fleet.entities;

import io.avaje.jsonb.Json;

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
    String name, String change, String from, String to, String reason) {

  public PlannedChangeEntity {
    name = Empty.ifAbsent(name);
    change = Empty.ifAbsent(change);
    from = Empty.ifAbsent(from);
    to = Empty.ifAbsent(to);
    reason = Empty.ifAbsent(reason);
  }
}
