package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule that some machines do not meet for a unit.
 *
 * @param rule such as {@code MachineMetadata}
 * @param text such as "2 of 5 machines lack region=eu"
 * @param machines which, and what is wrong there
 */
@Json
public record ObstacleEntity(
    @Nullable String rule, @Nullable String text, @Nullable List<MachineReasonEntity> machines) {

  public ObstacleEntity {
    rule = Absent.ifEmpty(rule);
    text = Absent.ifEmpty(text);
    machines = Absent.ifEmpty(machines);
  }
}
