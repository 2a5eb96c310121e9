package fleet.fleetctl.client;

import fleet.entities.StateEntity;
import fleet.entities.UnreportedEntity;
import java.util.List;

/**
 * The states of units, as machines report them.
 *
 * @param unreported machines that report nothing of units that they have been given
 */
public record AllStates(List<StateEntity> states, List<UnreportedEntity> unreported) {}
