package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.state.UnitState;
import fleet.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists of the state that readers keep: made on request, and only if something changed since. Owned
 * by the state thread; the lists do not change any more.
 */
final class StateLists {

  private final ClusterState cluster;
  private @Nullable List<UnitState> states;
  private @Nullable List<Machine> machines;

  StateLists(ClusterState cluster) {
    this.cluster = cluster;
  }

  void statesChanged() {
    states = null;
  }

  void machinesChanged() {
    machines = null;
  }

  List<UnitState> states() {
    if (states == null) {
      List<UnitState> all = new ArrayList<>();
      for (Map<String, UnitState> byMachine : cluster.reports().states()) {
        all.addAll(byMachine.values());
      }
      states = List.copyOf(all);
    }
    return states;
  }

  List<Machine> machines() {
    if (machines == null) {
      machines = List.copyOf(cluster.machines().all());
    }
    return machines;
  }
}
