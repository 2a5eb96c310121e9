package fleet.api;

import static java.util.stream.Collectors.toSet;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.Cluster;
import fleet.cluster.MachineView;
import fleet.cluster.OperationProgress;
import fleet.cluster.UnitView;
import fleet.core.operation.Operation;
import fleet.core.store.StoreHealth;
import fleet.entities.OverviewEntity;
import fleet.entities.StoreHealthEntity;
import fleet.entities.StoreMemberEntity;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The cluster at a glance: the leader, machines, units, the store, and what is wrong. */
final class OverviewResource {

  void read(Exchange exchange) throws IOException {
    exchange.reply(overview(exchange.reading(), Instant.now()));
  }

  private static OverviewEntity overview(Cluster cluster, Instant now) {
    List<MachineView> machines = cluster.machines();
    List<UnitView> units = cluster.units();
    StatesByUnit states = new StatesByUnit(cluster.reportedStates());
    AbsentMachines absences = cluster.absences();
    List<OperationProgress> operations =
        cluster.operations().stream().filter(one -> isUnderWay(one.operation())).toList();
    Optional<StoreHealth> store = cluster.storeHealth();
    Optional<String> leader =
        machines.stream().filter(MachineView::leads).findFirst().map(MachineView::id);
    Optional<Instant> leadsSince = cluster.leadsSince();
    ClusterProblems problems = new ClusterProblems(now);
    if (leader.isEmpty() && leadsSince.isEmpty()) {
      problems.lacksLeader();
    }
    problems.findInMachines(absences, machines);
    store.ifPresent(problems::findInStore);
    Set<String> maintained = inMaintenance(absences);
    problems.findInUnits(
        units.stream().filter(unit -> !UnitConditions.isKeptOn(unit, maintained)).toList(), states);
    problems.findInOperations(operations);
    return new OverviewEntity(
        leader.orElse(""),
        leader.flatMap(_ -> leadsSince).map(Instant::toString).orElse(""),
        countMachines(machines, absences),
        UnitConditions.count(units, states, maintained),
        countVersions(machines),
        problems.named(),
        problems.counts(),
        operations.stream().map(EntityMapper::withoutSteps).toList(),
        absences.pause().map(ReschedulingResource::pause).orElse(null),
        entity(store));
  }

  /** The machines that are away, and keep their units because somebody asked for it. */
  private static Set<String> inMaintenance(AbsentMachines absences) {
    return absences.machines().stream()
        .filter(absent -> absent.standing() == Standing.MAINTENANCE)
        .map(Absent::machine)
        .collect(toSet());
  }

  private static boolean isUnderWay(Operation operation) {
    return !operation.stage().isOver();
  }

  private static Map<String, Integer> countMachines(
      List<MachineView> machines, AbsentMachines absences) {
    Map<String, Integer> counts = new TreeMap<>();
    machines.forEach(machine -> counts.merge(EntityMapper.standing(machine), 1, Integer::sum));
    absences.machines().forEach(absent -> counts.merge(word(absent.standing()), 1, Integer::sum));
    Set<String> counted = absences.machines().stream().map(Absent::machine).collect(toSet());
    absences.departed().stream()
        .filter(departed -> !counted.contains(departed.id()))
        .forEach(departed -> counts.merge(departed.left() ? "left" : "lost", 1, Integer::sum));
    return counts;
  }

  private static String word(Standing standing) {
    return switch (standing) {
      case AWAITED -> "awaited";
      case HELD, LOST -> "lost";
      case CORDONED -> "absent";
      case MAINTENANCE -> "maintenance";
    };
  }

  private static Map<String, Integer> countVersions(List<MachineView> machines) {
    Map<String, Integer> counts = new TreeMap<>();
    machines.forEach(machine -> counts.merge(machine.machine().version(), 1, Integer::sum));
    return counts;
  }

  private static @Nullable StoreHealthEntity entity(Optional<StoreHealth> store) {
    return store
        .map(health ->
            new StoreHealthEntity(
                health.kind(),
                health.problem(),
                health.members().stream()
                    .map(member ->
                        new StoreMemberEntity(
                            member.name(), member.address(), member.version(), member.problem()))
                    .toList()))
        .orElse(null);
  }
}
