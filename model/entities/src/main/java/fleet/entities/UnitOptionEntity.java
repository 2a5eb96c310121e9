package fleet.entities;

/** One line of a unit file; the value may be empty. */
public record UnitOptionEntity(String name, String section, String value) {}
