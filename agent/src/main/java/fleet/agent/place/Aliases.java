package fleet.agent.place;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.HashSet;
import java.util.Set;

/** The other names that a unit file asks for in its {@code [Install]} section. */
final class Aliases {

  private Aliases() {}

  static Set<UnitName> of(UnitName unit, UnitFile file) {
    Set<UnitName> aliases = new HashSet<>();
    for (String name : file.words("Install", "Alias")) {
      try {
        aliases.add(UnitName.of(Specifiers.expand(unit, name)));
      } catch (InvalidUnitNameException systemdWillSaySo) {
        // Placing such a file fails with systemd's own words.
      }
    }
    return aliases;
  }
}
