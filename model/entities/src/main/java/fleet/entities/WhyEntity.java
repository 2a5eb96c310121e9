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
 * @param nearest the machine that comes closest to fitting, if none does
 * @param require what it asks beside its options, each {@code Option=Value} of {@code [X-Fleet]}
 */
@Json
public record WhyEntity(
    String unit,
    String standing,
    String machineID,
    String reason,
    @Nullable Integer machines,
    List<MachineReasonEntity> contenders,
    List<ObstacleEntity> obstacles,
    @Nullable NearMissEntity nearest,
    List<String> require)
    implements Entity {

  public WhyEntity {
    unit = Empty.ifAbsent(unit);
    standing = Empty.ifAbsent(standing);
    machineID = Empty.ifAbsent(machineID);
    reason = Empty.ifAbsent(reason);
    contenders = Empty.ifAbsent(contenders);
    obstacles = Empty.ifAbsent(obstacles);
    require = Empty.ifAbsent(require);
  }
}
