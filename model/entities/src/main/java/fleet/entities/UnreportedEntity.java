package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A machine that says nothing of units that it has been given.
 *
 * @param units how many
 */
@Json
public record UnreportedEntity(String machineID, @Nullable Integer units) {

  public UnreportedEntity {
    machineID = Empty.ifAbsent(machineID);
  }
}
