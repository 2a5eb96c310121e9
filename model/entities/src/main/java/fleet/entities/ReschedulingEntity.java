package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of rescheduling: machines whose units it concerns, and its pause.
 *
 * @param absent machines that have units and are not there
 * @param pause absent if rescheduling does not pause
 * @param departed machines that are lost or have left, with units or without
 */
@Json
public record ReschedulingEntity(
    List<AbsentMachineEntity> absent, @Nullable PauseEntity pause, List<MachineEntity> departed)
    implements Entity {

  /** Without machines that no unit misses. */
  public ReschedulingEntity(List<AbsentMachineEntity> absent, @Nullable PauseEntity pause) {
    this(absent, pause, List.of());
  }

  public ReschedulingEntity {
    absent = Empty.ifAbsent(absent);
    departed = Empty.ifAbsent(departed);
  }
}
