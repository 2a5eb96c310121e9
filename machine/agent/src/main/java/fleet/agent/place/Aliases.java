package fleet.agent.place;

import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.Specifiers;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The other names that a unit file asks for in its {@code [Install]} section. */
final class Aliases {

  private Aliases() {}

  /** Only those that are names; placing a file with others fails with the reason. */
  static Set<UnitName> of(UnitName unit, UnitFile file) {
    Set<UnitName> aliases = new HashSet<>();
    for (String text : texts(unit, file)) {
      try {
        aliases.add(alias(unit, text));
      } catch (InvalidUnitNameException none) {
        // It takes no name from anybody.
      }
    }
    return aliases;
  }

  /** The texts of the option; none if systemd ignores it, as other names are not possible. */
  static List<String> texts(UnitName unit, UnitFile file) {
    return mayHaveAliases(unit.type()) ? file.words("Install", "Alias") : List.of();
  }

  private static boolean mayHaveAliases(UnitType type) {
    return switch (type) {
      case SERVICE, SOCKET, TARGET, DEVICE, TIMER, PATH -> true;
      case SLICE, MOUNT, AUTOMOUNT, SWAP, SCOPE -> false;
    };
  }

  /**
   * One alias. A template stands for its instance of the same text, as for {@code systemctl
   * enable}.
   *
   * @throws InvalidUnitNameException if it is no name
   */
  static UnitName alias(UnitName unit, String text) {
    UnitName alias = UnitName.of(Specifiers.expand(unit, text));
    return alias.isTemplate() && unit.isInstance() ? alias.instantiate(unit.instance()) : alias;
  }

  /** Whether systemd takes it: type and instance have to be the unit's. */
  static boolean isPossible(UnitName alias, UnitName unit) {
    return alias.type() == unit.type()
        && alias.isInstance() == unit.isInstance()
        && alias.isTemplate() == unit.isTemplate()
        && alias.instance().equals(unit.instance());
  }
}
