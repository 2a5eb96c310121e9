package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine. */
@Json
public record MachineEntity(
    @Nullable String id, @Nullable Map<String, String> metadata, @Nullable String primaryIP)
    implements Entity {

  public MachineEntity {
    id = Absent.ifEmpty(id);
    metadata = Absent.ifEmpty(metadata);
    primaryIP = Absent.ifEmpty(primaryIP);
  }
}
