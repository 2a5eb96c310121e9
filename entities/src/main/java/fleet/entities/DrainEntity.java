package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine whose units go elsewhere.
 *
 * @param by who asked for it
 * @param maxUnavailable how many instances of a template may be down at a time for that
 * @param units those that it still has, sorted; absent in a list of machines
 */
@Json
public record DrainEntity(
    @Nullable String by, @Nullable Integer maxUnavailable, @Nullable List<DrainedUnitEntity> units)
    implements Entity {

  public DrainEntity {
    by = Absent.ifEmpty(by);
    units = Absent.ifEmpty(units);
  }
}
