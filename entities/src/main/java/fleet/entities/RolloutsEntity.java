package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rollouts.
 *
 * @param rollouts sorted by name, without their units
 */
@Json
public record RolloutsEntity(@Nullable List<RolloutEntity> rollouts) implements Entity {

  public RolloutsEntity {
    rollouts = Absent.ifEmpty(rollouts);
  }
}
