package fleet.engine.picture;

import fleet.core.unit.Incarnation;

/**
 * A machine would not take a unit. It holds until the machine says that the name is free, or the
 * unit is submitted or started anew.
 */
public record Refusal(Incarnation incarnation, long restartCounter, String why) {

  boolean concerns(KnownUnit known) {
    return known.unit().incarnation().equals(incarnation)
        && known.unit().restartCounter() == restartCounter;
  }
}
