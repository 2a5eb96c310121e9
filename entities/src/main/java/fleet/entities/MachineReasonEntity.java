package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/** One machine, and the reason that holds for it. */
@Json
public record MachineReasonEntity(@Nullable String machineID, @Nullable String reason) {

  public MachineReasonEntity {
    machineID = Absent.ifEmpty(machineID);
    reason = Absent.ifEmpty(reason);
  }
}
