package fleet.fleetctl.fleet1;

import fleet.core.unit.UnitFile;
import java.util.List;
import java.util.Map;

/**
 * The units of another cluster at one moment.
 *
 * @param units those that can be read, by name
 * @param unreadable why others cannot, by name
 */
public record Fleet1Cluster(List<Fleet1Unit> units, Map<String, String> unreadable) {

  public Fleet1Cluster {
    units = List.copyOf(units);
    unreadable = Map.copyOf(unreadable);
  }

  /**
   * One unit.
   *
   * @param desired {@code inactive}, {@code loaded} or {@code launched}
   * @param activeOn the machines where it is active or about to be, or may be since they do not
   *     report it, as people know them
   */
  public record Fleet1Unit(String name, UnitFile file, String desired, List<String> activeOn) {

    public Fleet1Unit {
      activeOn = List.copyOf(activeOn);
    }
  }

  /** Whether systemd has a process of the unit, or is about to. */
  static boolean isActive(String systemdActiveState) {
    return switch (systemdActiveState) {
      case "active", "activating", "deactivating", "reloading", "refreshing" -> true;
      default -> false;
    };
  }
}
