package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A unit that is still on a machine that is drained.
 *
 * @param standing {@code next}, {@code leaving}, {@code waits}, {@code stays}, {@code ended} or
 *     {@code global}
 * @param next id of the machine where a place is kept for it
 * @param reason what it waits for, or why it stays
 */
@Json
public record DrainedUnitEntity(
    @Nullable String name,
    @Nullable String standing,
    @Nullable String next,
    @Nullable String reason) {

  public DrainedUnitEntity {
    name = Absent.ifEmpty(name);
    standing = Absent.ifEmpty(standing);
    next = Absent.ifEmpty(next);
    reason = Absent.ifEmpty(reason);
  }
}
