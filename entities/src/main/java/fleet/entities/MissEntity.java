package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine that nearly fits.
 *
 * @param reasons all that is wrong there
 * @param change the smallest change that would place the unit there
 */
@Json
public record MissEntity(
    @Nullable String machineID, @Nullable List<String> reasons, @Nullable String change) {

  public MissEntity {
    machineID = Absent.ifEmpty(machineID);
    reasons = Absent.ifEmpty(reasons);
    change = Absent.ifEmpty(change);
  }
}
