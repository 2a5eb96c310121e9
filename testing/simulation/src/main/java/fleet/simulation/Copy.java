package fleet.simulation;

import fleet.core.unit.UnitName;

/** A unit on a machine. */
record Copy(String machine, UnitName unit) {}
