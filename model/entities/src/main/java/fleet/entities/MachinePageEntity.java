package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/** A page of machines. */
@Json
public record MachinePageEntity(List<MachineEntity> machines, String nextPageToken)
    implements Entity {

  public MachinePageEntity {
    machines = Empty.ifAbsent(machines);
    nextPageToken = Empty.ifAbsent(nextPageToken);
  }
}
