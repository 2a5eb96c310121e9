package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of rescheduling: machines whose units it concerns, and its pause.
 *
 * @param absent machines that have units and are not there
 * @param pause absent if rescheduling does not pause
 */
@Json
public record ReschedulingEntity(List<AbsentMachineEntity> absent, @Nullable PauseEntity pause)
    implements Entity {

  public ReschedulingEntity {
    absent = Empty.ifAbsent(absent);
  }
}
