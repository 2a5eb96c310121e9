package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * What a unit uses; what is not there could not be measured, as where the unit does not run.
 *
 * @param cpuNanos processor time since it was started
 * @param memoryUsed in bytes
 * @param cpuReserved in thousandths of a processor
 * @param memoryReserved in bytes
 */
@Json
public record UnitUsageEntity(
    @Nullable String name,
    @Nullable Long cpuNanos,
    @Nullable Long memoryUsed,
    @Nullable Long cpuReserved,
    @Nullable Long memoryReserved) {}
