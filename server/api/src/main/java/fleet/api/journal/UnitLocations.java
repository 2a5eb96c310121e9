package fleet.api.journal;

import static java.util.stream.Collectors.toSet;

import fleet.cluster.Cluster;
import fleet.cluster.UnitView;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the units that are wanted, and the machines that have them. Safe for many threads. */
public final class UnitLocations {

  private final Cluster cluster;
  private final JournalQuestion question;

  public UnitLocations(Cluster cluster, JournalQuestion question) {
    this.cluster = cluster;
    this.question = question;
  }

  /** The units that are wanted and exist, each once. */
  public List<UnitView> units() {
    Map<UnitName, UnitView> found = new TreeMap<>();
    for (UnitName name : question.names()) {
      cluster.unit(name).ifPresent(view -> found.put(name, view));
    }
    if (!question.patterns().isEmpty()) {
      for (UnitView view : cluster.units()) {
        if (question.wants(view.unit().name())) {
          found.put(view.unit().name(), view);
        }
      }
    }
    return new ArrayList<>(found.values());
  }

  /** The machines with their wanted units, present or not; for the audit log all servers. */
  public Map<String, Set<UnitName>> machines(List<UnitView> units) {
    Map<String, Set<UnitName>> machines = new TreeMap<>();
    if (question.audit().isPresent()) {
      cluster.servers().forEach(server -> machines.put(server, Set.of()));
    }
    for (UnitView view : units) {
      view.machine()
          .or(view::keptOn)
          .ifPresent(machine -> add(machines, machine, view.unit().name()));
    }
    for (UnitState state : statesOfGlobal(units)) {
      add(machines, state.machine(), state.unit());
    }
    return machines;
  }

  /**
   * The units that no machine can be asked about, and that were named or should be on a machine; an
   * inactive one has no entries.
   *
   * @param machines which machine has which
   */
  public List<UnitView> nowhere(List<UnitView> units, Map<String, Set<UnitName>> machines) {
    if (!question.machine().isEmpty()) {
      return List.of();
    }
    Set<UnitName> held = machines.values().stream().flatMap(Set::stream).collect(toSet());
    return units.stream()
        .filter(view -> !held.contains(view.unit().name()))
        .filter(view ->
            question.names().contains(view.unit().name())
                || view.unit().desired() != DesiredState.INACTIVE)
        .toList();
  }

  /**
   * Adds the units that are leaving a machine: they are no longer scheduled there, and still write
   * while they are being stopped.
   *
   * @param machines which machine has which
   * @param before which had which
   */
  void addLeaving(Map<String, Set<UnitName>> machines, Map<String, Set<UnitName>> before) {
    Set<UnitName> units = before.values().stream().flatMap(Set::stream).collect(toSet());
    for (UnitState state : cluster.states(units)) {
      if (before.getOrDefault(state.machine(), Set.of()).contains(state.unit())) {
        add(machines, state.machine(), state.unit());
      }
    }
  }

  private void add(Map<String, Set<UnitName>> machines, String machine, UnitName unit) {
    if (machine.startsWith(question.machine())) {
      machines.computeIfAbsent(machine, _ -> new TreeSet<>()).add(unit);
    }
  }

  private List<UnitState> statesOfGlobal(List<UnitView> units) {
    Set<UnitName> global =
        units.stream().filter(UnitView::global).map(view -> view.unit().name()).collect(toSet());
    return cluster.states(global);
  }
}
