package fleet.core.desired;

import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Instant;

/**
 * A unit as the registry holds it.
 *
 * @param restartCounter rises with each command that asks for a start: a change of the desired
 *     state to launched, a restart, or a start of a unit that has ended
 * @param by who submitted or last changed it, as {@code Caller} names people
 */
public record Unit(
    UnitName name,
    Incarnation incarnation,
    UnitFile file,
    DesiredState desired,
    long restartCounter,
    String by,
    Instant created) {

  public Unit withDesired(DesiredState state, String caller) {
    return new Unit(name, incarnation, file, state, restartCounter, caller, created);
  }

  /** The same unit, told once more to start. */
  public Unit withAnotherStart(String caller) {
    return new Unit(name, incarnation, file, desired, restartCounter + 1, caller, created);
  }
}
