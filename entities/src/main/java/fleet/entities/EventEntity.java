package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/** One server-sent change: which of the payload fields is there depends on the name. */
@Json
public record EventEntity(
    String name,
    long revision,
    String time,
    @Nullable UnitEntity unit,
    @Nullable StateEntity state,
    @Nullable MachineEntity machine,
    @Nullable String reason,
    @Nullable String command,
    @Nullable ContextEntity context,
    @Nullable CauseEntity cause)
    implements Entity {

  public EventEntity {
    reason = Absent.ifEmpty(reason);
    command = Absent.ifEmpty(command);
  }
}
