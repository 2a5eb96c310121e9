package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * How evenly units are spread.
 *
 * @param least how many units the emptiest machine has
 * @param most how many the fullest has
 */
@Json
public record EvennessEntity(@Nullable Integer least, @Nullable Integer most) {}
