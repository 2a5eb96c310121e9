package fleet.cluster;

import fleet.core.machine.Drain;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import java.util.Optional;

/**
 * A machine that is there, with what the cluster makes of it.
 *
 * @param machine with the metadata in force
 * @param capacity what of it may be promised to units; zero of what is not known, and not limited
 * @param reserved what is promised, to global units as well
 * @param cordoned whether nothing new comes to it
 * @param drain how the units that are there go elsewhere, if they are to
 */
public record MachineView(
    Machine machine,
    Resources capacity,
    Resources reserved,
    boolean cordoned,
    Optional<Drain> drain) {

  /** A machine of which nothing is promised yet. */
  public static MachineView of(Machine machine) {
    return new MachineView(machine, Resources.UNKNOWN, Resources.UNKNOWN, false, Optional.empty());
  }

  public String id() {
    return machine.id();
  }
}
