package fleet.entities;

import io.avaje.jsonb.Json;

/** One line of a unit file; the value may be empty. */
@Json
public record UnitOptionEntity(String name, String section, String value) {

  public UnitOptionEntity {
    name = Empty.ifAbsent(name);
    section = Empty.ifAbsent(section);
    value = Empty.ifAbsent(value);
  }
}
