package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A machine that has units and is not there.
 *
 * @param standing {@code awaited}: it may be about to come back; {@code held}: it is lost, and its
 *     units stay with it as rescheduling pauses; {@code lost}: its units run elsewhere as far as
 *     other machines take them; {@code cordoned}: it has none, and gets none when it is back;
 *     {@code maintenance}: its units run on there
 * @param units how many are placed on it
 * @param hostname empty if it is not known
 * @param maintenance its maintenance window; absent if it is in none
 */
@Json
public record AbsentMachineEntity(
    String id,
    String standing,
    @Nullable Integer units,
    String hostname,
    @Nullable MaintenanceEntity maintenance) {

  public AbsentMachineEntity {
    id = Empty.ifAbsent(id);
    standing = Empty.ifAbsent(standing);
    hostname = Empty.ifAbsent(hostname);
  }

  /** A machine that is not in maintenance. */
  public static AbsentMachineEntity of(String id, String standing, @Nullable Integer units) {
    return new AbsentMachineEntity(id, standing, units, "", null);
  }

  /** The machine, as far as it is known. */
  public MachineEntity machine() {
    return new MachineEntity(
        id, Map.of(), "", null, null, null, null, null, hostname, "", "", "", null, "", null, "",
        null);
  }
}
