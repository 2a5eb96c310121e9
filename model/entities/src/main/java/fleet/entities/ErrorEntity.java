package fleet.entities;

import io.avaje.jsonb.Json;

/** The body of an error. */
@Json
public record ErrorEntity(ErrorBodyEntity error) implements Entity {}
