package fleet.entities;

import io.avaje.jsonb.Json;

/** One line of a unit file. */
@Json
public record UnitOptionEntity(String name, String section, String value) {}
