package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a unit is where it is, or nowhere.
 *
 * @param standing {@code inactive}, {@code waits}, {@code placed} or {@code global}
 * @param reason in one line
 * @param machines how many there are
 * @param contenders the machines that fit, the best first
 * @param obstacles what keeps it from the others, one for each rule
 * @param nearest the machine that comes closest to fitting, where none does
 * @param require what it asks beside its options, each {@code Option=Value} of {@code [X-Fleet]}
 */
@Json
public record WhyEntity(
    @Nullable String unit,
    @Nullable String standing,
    @Nullable String machineID,
    @Nullable String reason,
    @Nullable Integer machines,
    @Nullable List<MachineReasonEntity> contenders,
    @Nullable List<ObstacleEntity> obstacles,
    @Nullable MissEntity nearest,
    @Nullable List<String> require)
    implements Entity {

  public WhyEntity {
    unit = Absent.ifEmpty(unit);
    standing = Absent.ifEmpty(standing);
    machineID = Absent.ifEmpty(machineID);
    reason = Absent.ifEmpty(reason);
    contenders = Absent.ifEmpty(contenders);
    obstacles = Absent.ifEmpty(obstacles);
    require = Absent.ifEmpty(require);
  }
}
