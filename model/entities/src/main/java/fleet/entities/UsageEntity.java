package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine's resources and their use at one moment; an absent field could not be measured.
 *
 * @param problem why this machine tells nothing more; all but its id is absent then
 * @param nanos when it was measured, by a clock of the machine that never goes back
 * @param cpuMillis what it has, in thousandths of a processor
 * @param cpuNanos processor time used from some beginning; two measurements make a rate
 * @param cpuReserved by units, in thousandths of a processor
 * @param memory what it has, in bytes; so are all others
 * @param tasks how many processes and threads it may have
 * @param unitCount how many units fleet has there
 * @param units one by one, if that was asked for
 */
@Json
public record UsageEntity(
    String machineID,
    String problem,
    @Nullable Long nanos,
    @Nullable Long cpuMillis,
    @Nullable Long cpuNanos,
    @Nullable Long cpuReserved,
    @Nullable Long memory,
    @Nullable Long memoryUsed,
    @Nullable Long memoryReserved,
    @Nullable Long disk,
    @Nullable Long diskUsed,
    @Nullable Long diskReserved,
    @Nullable Long tasks,
    @Nullable Long tasksReserved,
    @Nullable Long unitCount,
    List<UnitUsageEntity> units)
    implements Entity {

  public UsageEntity {
    machineID = Empty.ifAbsent(machineID);
    problem = Empty.ifAbsent(problem);
    units = Empty.ifAbsent(units);
  }
}
