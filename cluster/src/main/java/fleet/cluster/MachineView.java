package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.machine.Resources;

/**
 * A machine that is there, with what the cluster makes of it.
 *
 * @param machine with the metadata in force
 * @param capacity what of it may be promised to units; zero of what is not known, and not limited
 * @param reserved what is promised, to global units as well
 * @param cordoned whether nothing new comes to it
 */
public record MachineView(
    Machine machine, Resources capacity, Resources reserved, boolean cordoned) {

  /** A machine of which nothing is promised yet. */
  public static MachineView of(Machine machine) {
    return new MachineView(machine, Resources.UNKNOWN, Resources.UNKNOWN, false);
  }

  public String id() {
    return machine.id();
  }
}
