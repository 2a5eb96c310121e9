package fleet.ctl.client;

import fleet.entities.StateEntity;
import fleet.entities.UnreportedEntity;
import java.util.List;

/**
 * What machines say of units.
 *
 * @param unreported machines that say nothing of units that they have been given
 */
public record AllStates(List<StateEntity> states, List<UnreportedEntity> unreported) {}
