package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * A rule that some machines do not meet for a unit.
 *
 * @param rule such as {@code MachineMetadata}
 * @param text such as "2 of 5 machines lack region=eu"
 * @param machines which, and what is wrong there
 */
@Json
public record ObstacleEntity(String rule, String text, List<MachineReasonEntity> machines) {

  public ObstacleEntity {
    rule = Empty.ifAbsent(rule);
    text = Empty.ifAbsent(text);
    machines = Empty.ifAbsent(machines);
  }
}
