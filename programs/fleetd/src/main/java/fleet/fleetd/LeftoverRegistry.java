package fleet.fleetd;

import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;

/** The own registry of a machine from before it joined a cluster. */
final class LeftoverRegistry {

  private LeftoverRegistry() {}

  /**
   * Units of an embedded registry would be stopped here, as the cluster does not know them.
   *
   * @throws FatalException if there are any
   * @throws fleet.registry.RegistryException if the registry cannot be read
   */
  static void refuseUnits(Path data) throws FatalException {
    if (!EmbeddedRegistry.isIn(data)) {
      return;
    }
    try (EmbeddedRegistry former = EmbeddedRegistry.open(data)) {
      int units = former.read(Keys.UNITS).entries().size();
      if (units > 0) {
        throw FatalException.toCorrect(
            ("this machine was a cluster of its own, and would stop the units of that (%d, in %s)"
                    + " when it joins another: remove join, start fleetd, destroy them, and set join"
                    + " again; or delete %s/registry.db")
                .formatted(units, former.directory(), former.directory()),
            null);
      }
    }
  }
}
