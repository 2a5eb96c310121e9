package fleet.cluster;

import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.Optional;

/**
 * Asks for a unit to be created, replaced or changed.
 *
 * @param file empty to leave the content of a unit as it is
 * @param desired empty for inactive where it is created or replaced
 */
public record UnitPut(UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired) {}
