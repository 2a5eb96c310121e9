package fleet.entities;

import io.avaje.jsonb.Json;

/** The unit and machines that an event is about, by name, whatever its kind. */
@Json
public record ContextEntity(String unit, String machine, String from) {

  /** No single unit or machine. */
  public static final ContextEntity NONE = new ContextEntity("", "", "");

  public ContextEntity {
    unit = Empty.ifAbsent(unit);
    machine = Empty.ifAbsent(machine);
    from = Empty.ifAbsent(from);
  }
}
