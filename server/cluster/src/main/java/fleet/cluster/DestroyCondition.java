package fleet.cluster;

import fleet.core.unit.Incarnation;
import fleet.core.unit.SetName;
import java.util.Optional;

/**
 * The condition under which a unit is destroyed.
 *
 * @param set that it is to be in; empty for any or none
 * @param incarnation that it is to have; empty for any
 */
public record DestroyCondition(Optional<String> set, Optional<Incarnation> incarnation) {

  public static final DestroyCondition NONE =
      new DestroyCondition(Optional.empty(), Optional.empty());

  public DestroyCondition {
    set.ifPresent(SetName::valid);
  }
}
