package fleet.core.desired;

import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;

/**
 * A unit as the registry holds it.
 *
 * @param restartCounter rises with each command that asks for a start: a change of the desired
 *     state to launched, a restart, or a start of a unit that has ended
 * @param by who submitted or last changed it, as {@code Caller} names people
 * @param require what it asks of machines beside its file, each {@code Option=Value} of {@code
 *     [X-Fleet]}; kept until it is unloaded
 */
public record Unit(
    UnitName name,
    Incarnation incarnation,
    UnitFile file,
    DesiredState desired,
    long restartCounter,
    String by,
    Instant created,
    List<String> require) {

  public Unit {
    require = List.copyOf(require);
  }

  public Unit withFile(UnitFile other) {
    return new Unit(name, incarnation, other, desired, restartCounter, by, created, require);
  }
}
