package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A unit of a rollout.
 *
 * @param standing {@code waits}, {@code coming}, {@code proving}, {@code done}, {@code failed} or
 *     {@code kept}
 * @param how it is, said of the unit
 */
@Json
public record RolledOutUnitEntity(
    @Nullable String name, @Nullable String standing, @Nullable String how) {

  public RolledOutUnitEntity {
    name = Absent.ifEmpty(name);
    standing = Absent.ifEmpty(standing);
    how = Absent.ifEmpty(how);
  }
}
