package fleet.core.operation;

import fleet.core.unit.UnitName;

/** A unit that goes from one machine to another, by their ids. */
public record Move(UnitName unit, String from, String to) {}
