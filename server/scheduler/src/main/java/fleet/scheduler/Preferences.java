package fleet.scheduler;

import fleet.core.requirements.Affinity;

/** How well machines meet what a unit would like, before any strategy is asked. */
final class Preferences {

  private final Demand demand;
  private final ClusterLayout layout;

  Preferences(Demand demand, ClusterLayout layout) {
    this.demand = demand;
    this.layout = layout;
  }

  /** Less than zero if the first of two machines meets them better. */
  int compare(MachineInfo one, MachineInfo other) {
    for (Affinity affinity : demand.requirements().softAffinities()) {
      int met = Boolean.compare(meets(affinity, other), meets(affinity, one));
      if (met != 0) {
        return met;
      }
    }
    for (String key : demand.requirements().spread()) {
      int spread = Long.compare(family(key, one), family(key, other));
      if (spread != 0) {
        return spread;
      }
    }
    return 0;
  }

  boolean meets(Affinity affinity, MachineInfo machine) {
    return MachineChooser.meets(demand, affinity, machine);
  }

  /** How many of the unit's family there are where the machine is; those without come last. */
  long family(String key, MachineInfo machine) {
    String value = machine.machine().metadata().get(key);
    return value == null
        ? Long.MAX_VALUE
        : MachineChooser.count(
            layout.spread(demand.unit(), key), layout.valueAt(demand.unit(), key), value);
  }
}
