package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/** The unit and machines that an event is about, by name, whatever its kind. */
@Json
public record ContextEntity(
    @Nullable String unit, @Nullable String machine, @Nullable String from) {

  public ContextEntity {
    unit = Absent.ifEmpty(unit);
    machine = Absent.ifEmpty(machine);
    from = Absent.ifEmpty(from);
  }
}
