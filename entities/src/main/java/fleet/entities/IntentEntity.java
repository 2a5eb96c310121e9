package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody thinks of asking for: one of the four.
 *
 * @param destroy names of units
 * @param drain id of a machine
 * @param lose id of a machine that would be lost for good
 * @param maxUnavailable how many instances of a template may be down at a time for a drain
 * @param units to be created, replaced or changed
 */
@Json
public record IntentEntity(
    @Nullable List<String> destroy,
    @Nullable String drain,
    @Nullable String lose,
    @Nullable Integer maxUnavailable,
    @Nullable List<UnitEntity> units)
    implements Entity {

  public IntentEntity {
    destroy = Absent.ifEmpty(destroy);
    drain = Absent.ifEmpty(drain);
    lose = Absent.ifEmpty(lose);
    units = Absent.ifEmpty(units);
  }
}
