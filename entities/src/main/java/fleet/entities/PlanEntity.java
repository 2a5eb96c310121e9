package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would follow.
 *
 * @param changes sorted by unit
 */
@Json
public record PlanEntity(@Nullable List<PlannedChangeEntity> changes) implements Entity {

  public PlanEntity {
    changes = Absent.ifEmpty(changes);
  }
}
