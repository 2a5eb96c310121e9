package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of machines. */
@Json
public record MachinePageEntity(
    @Nullable List<MachineEntity> machines, @Nullable String nextPageToken) implements Entity {

  public MachinePageEntity {
    machines = Absent.ifEmpty(machines);
    nextPageToken = Absent.ifEmpty(nextPageToken);
  }
}
