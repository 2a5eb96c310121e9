package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A machine that has units and is not there.
 *
 * @param standing {@code awaited}: it may be about to come back; {@code held}: it is lost, and its
 *     units stay with it as rescheduling pauses; {@code lost}: its units run elsewhere as far as
 *     other machines take them; {@code cordoned}: it has none, and gets none when it is back
 * @param units how many are placed on it
 */
@Json
public record AbsentMachineEntity(String id, String standing, @Nullable Integer units) {

  public AbsentMachineEntity {
    id = Empty.ifAbsent(id);
    standing = Empty.ifAbsent(standing);
  }
}
