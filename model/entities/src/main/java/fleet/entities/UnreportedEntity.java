package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine that says nothing of units that it has been given.
 *
 * @param units how many
 * @param names which, if units were asked for by name
 */
@Json
public record UnreportedEntity(String machineID, @Nullable Integer units, List<String> names) {

  public UnreportedEntity {
    machineID = Empty.ifAbsent(machineID);
    names = Empty.ifAbsent(names);
  }

  /** A machine's units without their names. */
  public static UnreportedEntity counted(String machineID, int units) {
    return new UnreportedEntity(machineID, units, List.of());
  }

  public static UnreportedEntity named(String machineID, List<String> names) {
    return new UnreportedEntity(machineID, names.size(), names);
  }
}
