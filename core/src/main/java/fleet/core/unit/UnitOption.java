package fleet.core.unit;

/** One {@code Name=Value} line of a unit file, in its section. */
public record UnitOption(String section, String name, String value) {

  UnitOption trimmed() {
    return new UnitOption(section, Blanks.trim(name), Blanks.trim(value));
  }
}
