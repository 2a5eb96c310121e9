package fleet.entities;

import io.avaje.jsonb.Json;

/** One machine, and the reason that holds for it. */
@Json
public record MachineReasonEntity(String machineID, String reason) {

  public MachineReasonEntity {
    machineID = Empty.ifAbsent(machineID);
    reason = Empty.ifAbsent(reason);
  }
}
