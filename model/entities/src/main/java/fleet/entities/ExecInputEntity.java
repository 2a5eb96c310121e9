package fleet.entities;

import io.avaje.jsonb.Json;

/**
 * The input that a command has been given.
 *
 * @param taken how many bytes in total; the rest is sent again
 */
@Json
public record ExecInputEntity(long taken) implements Entity {}
