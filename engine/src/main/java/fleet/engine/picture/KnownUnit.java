package fleet.engine.picture;

import fleet.core.desired.Unit;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;

/**
 * A unit of the registry with what it asks for.
 *
 * @param sha256 names its file in the store
 */
public record KnownUnit(Unit unit, String sha256, Requirements requirements) {

  /** Whether it is to be on a machine. */
  public boolean wantsPlace() {
    return unit.desired() != DesiredState.INACTIVE;
  }

  /** What a machine that has it is to do with it. */
  public Target target() {
    return switch (unit.desired()) {
      case INACTIVE -> Target.STOPPING;
      case LOADED -> Target.LOADED;
      case LAUNCHED -> Target.LAUNCHED;
    };
  }
}
