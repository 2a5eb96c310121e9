package fleet.engine.state;

import fleet.core.unit.Incarnation;
import java.util.OptionalLong;

/**
 * A machine refused a unit. That holds until the machine reports the name as free, or the unit is
 * submitted or started again.
 *
 * @param restartCounter of the start that was refused; empty if that is not known any more
 */
public record Refusal(Incarnation incarnation, OptionalLong restartCounter, String why) {

  boolean concerns(KnownUnit known) {
    return known.unit().incarnation().equals(incarnation)
        && restartCounter.orElse(known.unit().restartCounter()) == known.unit().restartCounter();
  }
}
