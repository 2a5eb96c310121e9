package fleet.engine;

import fleet.cluster.ClusterCounts;
import fleet.cluster.MachineView;
import fleet.cluster.PlacementReasons;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.machine.Role;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.scheduler.MachineInfo;
import fleet.scheduler.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The state of the cluster and all that is computed from it. Owned by the loop of its {@link
 * StateLoader}; the answer to a query must not hold on to any of it.
 *
 * @param missing the absent machines, and the fate of their units
 * @param queue the units to look at
 */
record LiveState(
    ClusterState cluster,
    UnitViews views,
    StateLists images,
    MissingMachines missing,
    SchedulerState schedulerState,
    WorkQueue queue,
    OpenOffers offers) {

  /** Makes an empty state. */
  static LiveState empty(Scheduler scheduler) {
    var cluster = new ClusterState();
    var schedulerState = new SchedulerState(cluster, scheduler);
    var queue = new WorkQueue(cluster, schedulerState);
    return new LiveState(
        cluster,
        new UnitViews(cluster),
        new StateLists(cluster),
        new MissingMachines(cluster),
        schedulerState,
        queue,
        new OpenOffers(cluster, schedulerState, queue));
  }

  Optional<PlacementReasons> why(UnitName unit) {
    return new PlacementExplainer(this).about(unit);
  }

  List<String> runsOn(UnitName unit) {
    return cluster
        .units()
        .of(unit)
        .filter(known -> known.requirements().global() && known.wantsPlace())
        .map(schedulerState::runsOn)
        .orElse(List.of());
  }

  /**
   * The present machines.
   *
   * @param agents those that never lead
   */
  List<MachineView> machines(Set<String> agents) {
    Optional<String> leader = leader(agents);
    var drains = new Drains(this);
    return images.machines().stream()
        .map(machine -> {
          String id = machine.id();
          Role role = agents.contains(id) ? Role.AGENT : Role.SERVER;
          return view(machine, role, leader.equals(Optional.of(id)), drains.isDone(id));
        })
        .toList();
  }

  /** A machine with its reservations; one whose record cannot be read has nothing to reserve. */
  private MachineView view(Machine machine, Role role, boolean leads, boolean drained) {
    String id = machine.id();
    Optional<MachineInfo> judged = schedulerState.layoutOf(id);
    return new MachineView(
        machine,
        judged.map(MachineInfo::capacity).orElse(Resources.UNKNOWN),
        judged.map(MachineInfo::reserved).orElse(Resources.UNKNOWN),
        judged.filter(MachineInfo::isCordoned).isPresent(),
        judged.flatMap(_ -> cluster.machines().drain(id)),
        drained,
        judged.map(MachineInfo::load).orElse(0),
        role,
        leads,
        cluster.machines().maintenance(id));
  }

  /** The one server of a registry that nobody shares leads without being elected. */
  private Optional<String> leader(Set<String> agents) {
    List<String> servers =
        images.machines().stream().map(Machine::id).filter(id -> !agents.contains(id)).toList();
    return cluster.leader().isEmpty() && servers.size() == 1
        ? Optional.of(servers.getFirst())
        : cluster.leadingMachine();
  }

  Operations operations() {
    return new Operations(this);
  }

  ClusterCounts counts() {
    return new ClusterCounts(
        cluster.machines().all().size(),
        cluster.units().all().size(),
        cluster.reports().byActive());
  }
}
