package fleet.scheduler;

import fleet.core.operation.Evenness;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Some machines by how many units they have, as they were when they were put here. */
final class MachinesByLoad {

  private final NavigableMap<Integer, NavigableSet<String>> machines = new TreeMap<>();
  private final Map<String, Integer> loads = new HashMap<>();

  /** The machines that are there and not cordoned. */
  static MachinesByLoad of(ClusterLayout layout) {
    var all = new MachinesByLoad();
    for (MachineInfo machine : layout.machines()) {
      if (!machine.isCordoned()) {
        all.put(machine);
      }
    }
    return all;
  }

  void put(MachineInfo machine) {
    remove(machine.id());
    loads.put(machine.id(), machine.load());
    machines.computeIfAbsent(machine.load(), _ -> new TreeSet<>()).add(machine.id());
  }

  void remove(String machine) {
    Integer load = loads.remove(machine);
    if (load != null) {
      machines.computeIfPresent(
          load, (_, ids) -> ids.remove(machine) && ids.isEmpty() ? null : ids);
    }
  }

  boolean has(String machine) {
    return loads.containsKey(machine);
  }

  Evenness evenness() {
    return machines.isEmpty()
        ? new Evenness(0, 0)
        : new Evenness(machines.firstKey(), machines.lastKey());
  }

  /** The first by id of those that have the most. */
  String fullest() {
    return machines.lastEntry().getValue().first();
  }

  /** The number of machines with a given number of units. */
  int count(int load) {
    NavigableSet<String> ids = machines.get(load);
    return ids == null ? 0 : ids.size();
  }
}
