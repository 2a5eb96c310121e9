package fleet.engine.picture;

import fleet.core.unit.UnitName;

/** What a changed key of the registry is about. */
public sealed interface Touched {

  record Nothing() implements Touched {}

  record OfUnit(UnitName unit) implements Touched {}

  record Scheduled(UnitName unit, String machine) implements Touched {}

  record Global(UnitName unit) implements Touched {}

  record OfMachine(String machine) implements Touched {}
}
