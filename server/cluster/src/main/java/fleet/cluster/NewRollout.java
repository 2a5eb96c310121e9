package fleet.cluster;

import fleet.core.operation.OperationId;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a rollout: the instances of a template, or a single unit, get a new version, a few
 * at a time, and are reverted if one is not healthy. A rollout that is paused or being reverted
 * gives way to a new one.
 *
 * @param name of a template, whose instances get the file and itself last; or of a single unit
 * @param maxUnavailable how many instances of the template may be down at a time, at least 1
 * @param healthy for how long a unit has to be active until the next one's turn comes
 * @param canaries after how many units it pauses until somebody promotes it; 0 for never
 * @param except instances that keep their content
 */
public record NewRollout(
    UnitName name,
    UnitFile file,
    int maxUnavailable,
    Duration healthy,
    int canaries,
    Set<UnitName> except)
    implements NewOperation<RolloutResult> {

  public NewRollout {
    except = Collections.unmodifiableSet(new LinkedHashSet<>(except));
  }

  @Override
  public OperationId id() {
    return OperationId.rollout(name);
  }

  @Override
  public List<UnitPut> puts() {
    return List.of(new UnitPut(name, Optional.of(file), Optional.empty()));
  }
}
