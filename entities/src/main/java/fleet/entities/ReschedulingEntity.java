package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the units of machines that are not there.
 *
 * @param absent machines that have units and are not there
 * @param pause absent where rescheduling does not pause
 */
@Json
public record ReschedulingEntity(
    @Nullable List<AbsentMachineEntity> absent, @Nullable PauseEntity pause) implements Entity {

  public ReschedulingEntity {
    absent = Absent.ifEmpty(absent);
  }
}
