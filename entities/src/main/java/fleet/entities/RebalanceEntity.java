package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Units move from machines that have many to machines that have few.
 *
 * @param by who asked for it
 * @param ended whether nothing follows any more
 * @param least how many units the emptiest machine has now
 * @param maxUnavailable how many instances of a template may be down at a time
 * @param most how many units the fullest machine has now
 * @param reason why nothing has begun, or why machines will not be as even as asked for
 * @param stoppedBy who asked to stop it
 * @param units those that it moves
 * @param within how many units more than the emptiest machine the fullest may have
 */
@Json
public record RebalanceEntity(
    @Nullable String by,
    @Nullable Boolean ended,
    @Nullable Integer least,
    @Nullable Integer maxUnavailable,
    @Nullable Integer most,
    @Nullable String reason,
    @Nullable String stoppedBy,
    @Nullable List<RebalancedUnitEntity> units,
    @Nullable Integer within)
    implements Entity {

  public RebalanceEntity {
    by = Absent.ifEmpty(by);
    reason = Absent.ifEmpty(reason);
    stoppedBy = Absent.ifEmpty(stoppedBy);
    units = Absent.ifEmpty(units);
  }

  /** None has begun. */
  public static RebalanceEntity nothing(String why) {
    return new RebalanceEntity(null, null, null, null, null, why, null, null, null);
  }

  /** The same, with something to say of it. */
  public RebalanceEntity withReason(String text) {
    return new RebalanceEntity(
        by, ended, least, maxUnavailable, most, text, stoppedBy, units, within);
  }
}
