package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rollout that somebody asks for.
 *
 * @param options the new content
 * @param maxUnavailable how many instances of the template may be down at a time; absent for 1
 * @param healthySeconds for how long a unit has to be active until the next one's turn comes;
 *     absent for 10
 * @param canaries after how many units it pauses until it is promoted; absent for never
 * @param text the new content as it was typed, comments included; absent if nobody knows
 * @param except instances that keep their content
 */
@Json
public record RolloutRequestEntity(
    List<UnitOptionEntity> options,
    @Nullable Integer maxUnavailable,
    @Nullable Long healthySeconds,
    @Nullable Integer canaries,
    String text,
    List<String> except)
    implements Entity {

  public RolloutRequestEntity {
    options = Empty.ifAbsent(options);
    text = Empty.ifAbsent(text);
    except = Empty.ifAbsent(except);
  }
}
