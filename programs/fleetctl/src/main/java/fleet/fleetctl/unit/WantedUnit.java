package fleet.fleetctl.unit;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.Optional;

/**
 * A unit as a file wants it to be.
 *
 * @param place of the file, for people
 * @param state that the file says, if it says one
 */
public record WantedUnit(
    UnitName name, String place, UnitFile file, Optional<DesiredState> state) {}
