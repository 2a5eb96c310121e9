package fleet.agent.place;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.HashSet;
import java.util.Set;

/** The other names that a unit file asks for in its {@code [Install]} section. */
final class Aliases {

  private Aliases() {}

  static Set<UnitName> of(UnitFile file) {
    Set<UnitName> aliases = new HashSet<>();
    for (String value : file.values("Install", "Alias")) {
      for (String name : value.strip().split("\\s+", -1)) {
        try {
          aliases.add(UnitName.of(name));
        } catch (InvalidUnitNameException systemdWillSaySo) {
          // Placing such a file fails with systemd's own words.
        }
      }
    }
    return aliases;
  }
}
