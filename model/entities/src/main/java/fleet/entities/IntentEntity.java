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
    List<String> destroy,
    String drain,
    String lose,
    @Nullable Integer maxUnavailable,
    @Nullable RebalanceRequestEntity rebalance,
    List<UnitEntity> units)
    implements Entity {

  public IntentEntity {
    destroy = Empty.ifAbsent(destroy);
    drain = Empty.ifAbsent(drain);
    lose = Empty.ifAbsent(lose);
    units = Empty.ifAbsent(units);
  }

  /** Units are created, replaced or changed. */
  public static IntentEntity put(List<UnitEntity> units) {
    return new IntentEntity(List.of(), "", "", null, null, units);
  }

  public static IntentEntity destroy(List<String> units) {
    return new IntentEntity(units, "", "", null, null, List.of());
  }

  public static IntentEntity drain(String machine, int maxUnavailable) {
    return new IntentEntity(List.of(), machine, "", maxUnavailable, null, List.of());
  }

  /** Units move from machines that have many to machines that have few. */
  public static IntentEntity rebalance(RebalanceRequestEntity wish, int maxUnavailable) {
    return new IntentEntity(List.of(), "", "", maxUnavailable, wish, List.of());
  }

  /** A machine is lost for good. */
  public static IntentEntity lose(String machine) {
    return new IntentEntity(List.of(), "", machine, null, null, List.of());
  }
}
