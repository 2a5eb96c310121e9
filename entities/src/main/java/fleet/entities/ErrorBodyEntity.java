package fleet.entities;

import io.avaje.jsonb.Json;

/** An error. */
@Json
public record ErrorBodyEntity(int code, String message) {}
