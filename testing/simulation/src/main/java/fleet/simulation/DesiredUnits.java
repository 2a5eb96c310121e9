package fleet.simulation;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitName;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import fleet.simulation.store.StoreServer;

/** The desired states of units, by the newest revision of the store. */
final class DesiredUnits {
  private DesiredUnits() {}

  static boolean isToRun(StoreServer store, UnitName unit) {
    return store
        .get(Keys.unit(unit))
        .map(UnitRecord::of)
        .filter(record -> record.desired() == DesiredState.LAUNCHED)
        .isPresent();
  }
}
