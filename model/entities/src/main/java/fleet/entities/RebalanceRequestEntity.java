package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A rebalance that somebody thinks of.
 *
 * @param moves how many units may move; absent for as many as it takes
 * @param within how many units more than the emptiest machine the fullest may have; absent for 1
 */
@Json
public record RebalanceRequestEntity(@Nullable Integer moves, @Nullable Integer within) {}
