package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The consumption of a unit. An absent field could not be measured, as of a unit that does not run.
 *
 * @param cpuNanos processor time since it was started
 * @param memoryUsed in bytes
 * @param cpuReserved in thousandths of a processor
 * @param memoryReserved in bytes
 */
@Json
public record UnitUsageEntity(
    String name,
    @Nullable Long cpuNanos,
    @Nullable Long memoryUsed,
    @Nullable Long cpuReserved,
    @Nullable Long memoryReserved) {

  public UnitUsageEntity {
    name = Empty.ifAbsent(name);
  }
}
