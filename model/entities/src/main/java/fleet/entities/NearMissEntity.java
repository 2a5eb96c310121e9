package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * A machine that nearly fits.
 *
 * @param reasons all that is wrong there
 * @param change the smallest change that would place the unit there
 */
@Json
public record NearMissEntity(String machineID, List<String> reasons, String change) {

  public NearMissEntity {
    machineID = Empty.ifAbsent(machineID);
    reasons = Empty.ifAbsent(reasons);
    change = Empty.ifAbsent(change);
  }
}
