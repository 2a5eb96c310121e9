package fleet.cluster;

import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.core.machine.Resources;
import fleet.core.machine.Role;
import java.util.Optional;

/**
 * A machine that is there, with what the cluster makes of it.
 *
 * @param machine with the metadata in force
 * @param capacity what of it may be promised to units; zero of what is not known, and not limited
 * @param reserved what is promised, to global units as well
 * @param cordoned whether nothing new comes to it
 * @param drain how the units that are there go elsewhere, if they are to
 * @param drained whether that is done: nothing is left that is to go
 * @param units how many are there to stay, global ones included
 * @param role whether it may decide, or only runs units
 * @param leads whether its engine decides at present
 * @param maintenance its maintenance window, if it is in one
 */
public record MachineView(
    Machine machine,
    Resources capacity,
    Resources reserved,
    boolean cordoned,
    Optional<Drain> drain,
    boolean drained,
    int units,
    Role role,
    boolean leads,
    Optional<Maintenance> maintenance) {

  public String id() {
    return machine.id();
  }
}
