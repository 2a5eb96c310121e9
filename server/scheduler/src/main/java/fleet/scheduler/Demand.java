package fleet.scheduler;

import fleet.core.machine.Machine;
import fleet.core.machine.Reservation;
import fleet.core.machine.Resources;
import fleet.core.requirements.Requirements;
import fleet.core.unit.UnitName;

/** A unit, and what it asks of a machine. */
public record Demand(UnitName unit, Requirements requirements) {

  /** The resources that the unit reserves of a machine. */
  Resources reservationOn(Machine machine) {
    Reservation asked = requirements.reservation();
    return asked.isNothing() ? Resources.UNKNOWN : asked.on(machine.total());
  }

  /** Whether the two may want the same room; never so of a unit and itself. */
  public boolean competesWith(Demand other) {
    return !unit.equals(other.unit)
        && !requirements.reservation().isNothing()
        && !other.requirements.reservation().isNothing();
  }

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
