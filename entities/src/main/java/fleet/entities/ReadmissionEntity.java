package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A machine may join once more with another key.
 *
 * @param until when
 */
@Json
public record ReadmissionEntity(@Nullable String until) implements Entity {}
