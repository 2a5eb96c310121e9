package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An intended change, not yet asked for: one of five kinds.
 *
 * @param destroy names of units
 * @param drain id of a machine
 * @param lose id of a machine that would be lost for good
 * @param maxUnavailable how many instances of a template may be down at a time for a drain or a
 *     rebalance
 * @param rebalance how units are to be evened out
 * @param units to be created, replaced or changed
 */
@Json
public record IntentEntity(
    @Nullable List<String> destroy,
    @Nullable String drain,
    @Nullable String lose,
    @Nullable Integer maxUnavailable,
    @Nullable RebalanceRequestEntity rebalance,
    @Nullable List<UnitEntity> units)
    implements Entity {

  public IntentEntity {
    destroy = Absent.ifEmpty(destroy);
    drain = Absent.ifEmpty(drain);
    lose = Absent.ifEmpty(lose);
    units = Absent.ifEmpty(units);
  }

  /** Units are created, replaced or changed. */
  public static IntentEntity put(List<UnitEntity> units) {
    return new IntentEntity(null, null, null, null, null, units);
  }

  public static IntentEntity destroy(List<String> units) {
    return new IntentEntity(units, null, null, null, null, null);
  }

  public static IntentEntity drain(String machine, int maxUnavailable) {
    return new IntentEntity(null, machine, null, maxUnavailable, null, null);
  }

  /** Units move from machines that have many to machines that have few. */
  public static IntentEntity rebalance(RebalanceRequestEntity wish, int maxUnavailable) {
    return new IntentEntity(null, null, null, maxUnavailable, wish, null);
  }

  /** A machine is lost for good. */
  public static IntentEntity lose(String machine) {
    return new IntentEntity(null, null, machine, null, null, null);
  }
}
