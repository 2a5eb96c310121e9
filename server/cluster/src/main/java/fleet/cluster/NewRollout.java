package fleet.cluster;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;

/**
 * A request for a rollout.
 *
 * @param name of a template, whose instances get the file and itself last; or of a single unit
 * @param maxUnavailable how many instances of the template may be down at a time, at least 1
 * @param healthy for how long a unit has to be active until the next one's turn comes
 * @param canaries after how many units it pauses until somebody promotes it; 0 for never
 */
public record NewRollout(
    UnitName name, UnitFile file, int maxUnavailable, Duration healthy, int canaries) {

  /** One that goes through to its end. */
  public NewRollout(UnitName name, UnitFile file, int maxUnavailable, Duration healthy) {
    this(name, file, maxUnavailable, healthy, 0);
  }
}
