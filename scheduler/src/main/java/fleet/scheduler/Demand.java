package fleet.scheduler;

import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;

/** A unit, and what it asks of a machine. */
public record Demand(UnitName unit, Requirements requirements) {

  /** Whether one of the two wants to be apart from the other; never so of a unit and itself. */
  public boolean conflictsWith(Demand other) {
    return !unit.equals(other.unit)
        && (requirements.conflictsWith(other.unit) || other.requirements.conflictsWith(unit));
  }

  /**
   * Whether the other unit has to leave a machine that this one comes to; never so of two units
   * that name each other.
   */
  public boolean replaces(Demand other) {
    return !unit.equals(other.unit)
        && requirements.replaces(other.unit)
        && !other.requirements.replaces(unit);
  }
}
