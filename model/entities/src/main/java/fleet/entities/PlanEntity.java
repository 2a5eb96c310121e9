package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes that would follow.
 *
 * @param changes sorted by unit
 * @param evening of a rebalance: how evenly units would be spread
 */
@Json
public record PlanEntity(List<PlannedChangeEntity> changes, @Nullable PlannedEvennessEntity evening)
    implements Entity {

  public PlanEntity {
    changes = Empty.ifAbsent(changes);
  }
}
