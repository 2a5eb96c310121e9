package fleet.api;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Departed;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.MachineView;
import fleet.cluster.OperationProgress;
import fleet.cluster.UnitView;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.state.FailureWords;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.entities.ProblemEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what is wrong in a cluster. Cordons, drains, maintenance, operations that people paused and
 * units only submitted are no problems: somebody asked for them. For one thread.
 */
final class ClusterProblems {

  /** How many problems are told; all are counted. */
  static final int NAMED = 50;

  /** A start that takes longer is a problem. */
  private static final Duration LONG_START = Duration.ofMinutes(5);

  /** A restart by systemd is a problem for so long. */
  private static final Duration RECENT = Duration.ofMinutes(10);

  private static final Pattern VERSION = Pattern.compile("(\\d{1,5})\\.(\\d{1,5})\\..*");
  private static final int MAJOR = 100_000;

  private final Instant now;
  private final List<ProblemEntity> named = new ArrayList<>();
  private final SortedMap<String, Integer> counts = new TreeMap<>();

  ClusterProblems(Instant now) {
    this.now = now;
  }

  /** The first problems, as they were found. */
  List<ProblemEntity> named() {
    return named;
  }

  /** How many there are of each kind. */
  Map<String, Integer> counts() {
    return counts;
  }

  private void add(String kind, String unit, String machine, String name, String text, Instant at) {
    counts.merge(kind, 1, Integer::sum);
    if (named.size() < NAMED) {
      String since = at.equals(Instant.EPOCH) ? "" : at.toString();
      named.add(new ProblemEntity(kind, unit, machine, name, text, since));
    }
  }

  /** Nobody leads. */
  void lacksLeader() {
    add(
        "leader",
        "",
        "",
        "",
        "no server leads: nothing is placed, moved or started",
        Instant.EPOCH);
  }

  // ---- machines

  void findInMachines(AbsentMachines absences, List<MachineView> machines) {
    absences.pause().ifPresent(pause -> add("paused", "", "", "", pause.text(), pause.since()));
    Map<String, Instant> since = new HashMap<>();
    absences.departed().forEach(one -> since.put(one.id(), one.since()));
    Set<String> missed = new HashSet<>();
    for (Absent absent : absences.machines()) {
      String id = absent.machine();
      missed.add(id);
      if (!isIntended(absent)) {
        add("machine", "", id, "", text(absent), since.getOrDefault(id, Instant.EPOCH));
      }
    }
    for (Departed departed : absences.departed()) {
      if (!departed.left() && !missed.contains(departed.id())) {
        add("machine", "", departed.id(), "", "lost", departed.since());
      }
    }
    findInVersions(machines);
  }

  /** Somebody cordoned it before it went, and no unit misses it; or it is in maintenance. */
  private static boolean isIntended(Absent absent) {
    return absent.standing() == Standing.CORDONED || absent.standing() == Standing.MAINTENANCE;
  }

  private static String text(Absent absent) {
    String units = absent.units() == 1 ? "1 unit" : absent.units() + " units";
    return switch (absent.standing()) {
      case AWAITED -> "awaited, with " + units;
      case HELD -> "lost, with %s, while rescheduling is paused".formatted(units);
      case LOST -> "lost, with %s to place elsewhere".formatted(units);
      case CORDONED, MAINTENANCE -> "";
    };
  }

  /** Neighbouring minor versions work together; more is not tested. */
  private void findInVersions(List<MachineView> machines) {
    IntSummaryStatistics minors =
        machines.stream()
            .map(machine -> VERSION.matcher(machine.machine().version()))
            .filter(Matcher::matches)
            .mapToInt(found ->
                Integer.parseInt(found.group(1)) * MAJOR + Integer.parseInt(found.group(2)))
            .summaryStatistics();
    if (minors.getCount() > 0 && minors.getMax() - minors.getMin() > 1) {
      String text =
          "machines run %s and %s: only neighbouring minor versions work together"
              .formatted(version(minors.getMin()), version(minors.getMax()));
      add("versions", "", "", "", text, Instant.EPOCH);
    }
  }

  private static String version(int minor) {
    return minor / MAJOR + "." + minor % MAJOR;
  }

  // ---- the store

  void findInStore(StoreHealth store) {
    if (!store.problem().isEmpty()) {
      add("store", "", "", store.kind(), store.problem(), Instant.EPOCH);
    }
    for (StoreHealth.Member member : store.members()) {
      if (!member.problem().isEmpty()) {
        String name = store.kind() + " " + member.name();
        add("store", "", "", name, member.problem(), Instant.EPOCH);
      }
    }
  }

  // ---- units

  /**
   * The same of units.
   *
   * @param units sorted by name
   */
  void findInUnits(List<UnitView> units, StatesByUnit states) {
    List<UnitState> notable = notable(units, states);
    notable.forEach(this::findFailure);
    for (UnitView unit : units) {
      if (!unit.waiting().isEmpty()) {
        String name = unit.unit().name().value();
        String machine = unit.machine().or(unit::keptOn).orElse("");
        add("waiting", name, machine, "", "waiting: " + unit.waiting(), Instant.EPOCH);
      }
    }
    notable.forEach(this::findInState);
  }

  /** All states but those of units that simply run. */
  private static List<UnitState> notable(List<UnitView> units, StatesByUnit states) {
    List<UnitState> notable = new ArrayList<>();
    states.forEach(
        units,
        (_, known) -> {
          for (UnitState state : known) {
            SystemdState systemd = state.systemd();
            if (!systemd.isActive() || systemd.restarts() > 0 || !state.problem().isEmpty()) {
              notable.add(state);
            }
          }
        });
    return notable;
  }

  private void findFailure(UnitState state) {
    if (state.systemd().isFailed()) {
      add("failed", state, withProblem("failed", FailureWords.of(state.systemd()), state));
    }
  }

  private void findInState(UnitState state) {
    SystemdState systemd = state.systemd();
    if (systemd.isFailed()) {
      return;
    }
    if (!state.problem().isEmpty()) {
      add("blocked", state, state.problem());
    } else if (systemd.restarts() > 0 && systemd.since().isAfter(now.minus(RECENT))) {
      String times = systemd.restarts() == 1 ? "once" : systemd.restarts() + " times";
      add("restarting", state, "restarted %s by systemd".formatted(times));
    } else if (systemd.active().equals("activating")
        && systemd.since().isBefore(now.minus(LONG_START))) {
      add("starting", state, "starting");
    }
  }

  private static String withProblem(String word, String why, UnitState state) {
    String text = why.isEmpty() ? word : word + ": " + why;
    return state.problem().isEmpty() ? text : text + "; " + state.problem();
  }

  private void add(String kind, UnitState state, String text) {
    add(kind, state.unit().value(), state.machine(), "", text, state.systemd().since());
  }

  // ---- operations

  void findInOperations(List<OperationProgress> operations) {
    for (OperationProgress progress : operations) {
      Operation operation = progress.operation();
      if (operation.stage() == Stage.BACK) {
        add(operation, "is being reverted: " + operation.reason());
      } else if (hasFailed(operation)) {
        add(operation, "is paused: " + operation.reason());
      } else if (!operation.paused() && !progress.waitsFor().isEmpty()) {
        add(operation, "waits: " + progress.waitsFor());
      }
    }
  }

  /** A restart in turns pauses by itself, with the reason, if its unit fails. */
  private static boolean hasFailed(Operation operation) {
    return operation.id().kind() == OperationId.Kind.RESTART
        && operation.goesOn()
        && operation.paused()
        && !operation.reason().isEmpty();
  }

  private void add(Operation operation, String text) {
    add("operation", "", "", operation.id().text(), text, operation.started());
  }
}
