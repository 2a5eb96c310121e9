package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.core.schedule.Target;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.StoreServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Watches a world and throws a {@link Violation} in the very step that breaks an invariant of the
 * design. It looks at the store and at what systemds really run, and believes nothing else.
 */
final class Invariants {

  /**
   * How long after it can hear the cluster again a machine has for stopping what was placed
   * elsewhere while it could not: to join anew, to hear its schedule, and to stop the unit.
   */
  private static final Duration TO_STOP_STRAYS = Duration.ofSeconds(25);

  /** What was being written when the leader pulled the brake may still happen. */
  private static final Duration TO_BRAKE = Duration.ofSeconds(5);

  private final Simulation simulation;
  private final StoreServer store;
  private final Predicate<String> isMissed;
  private final Predicate<UnitName> isGlobal;
  private final Map<UnitName, String> placements = new HashMap<>();
  private final Map<UnitName, Set<String>> schedules = new HashMap<>();
  private final Map<UnitName, Set<String>> running = new TreeMap<>(Invariants::byName);
  private final Map<String, Boolean> hears = new HashMap<>();
  private final Map<String, Long> hearsSince = new HashMap<>();
  private final Set<Copy> strays = new HashSet<>();
  private final Map<Copy, Long> launchedBy = new HashMap<>();
  private final Map<String, List<Launch>> launches = new HashMap<>();
  private final Map<Copy, Long> ended = new HashMap<>();
  private final Map<String, Target> targets = new HashMap<>();
  private final Reserved reserved;
  private Optional<Long> pausesSince = Optional.empty();
  private final Map<String, Long> decisions = new HashMap<>();
  private final Set<String> released = new HashSet<>();

  /** An entry that has a unit launched. */
  private record Launch(long revision, Incarnation incarnation, long restartCounter) {}

  /** A unit on a machine. */
  private record Copy(String machine, UnitName unit) {}

  /**
   * @param isMissed whether the cluster may take the machine with that id for lost
   */
  Invariants(
      Simulation simulation,
      Predicate<String> isMissed,
      Predicate<UnitName> isGlobal,
      StoreServer store) {
    this.simulation = simulation;
    this.isMissed = isMissed;
    this.store = store;
    this.isGlobal = isGlobal;
    this.reserved = new Reserved(store);
    store.observe(this::committed);
  }

  private static int byName(UnitName one, UnitName other) {
    return one.value().compareTo(other.value());
  }

  // ---- what the store says

  private void committed(Delta delta) {
    Set<UnitName> touched = new TreeSet<>(Invariants::byName);
    for (Change change : delta.changes()) {
      if (change.key().startsWith(Keys.PLACEMENTS)) {
        UnitName unit = Keys.unitOf(change.key());
        placementOf(change)
            .ifPresentOrElse(
                machine -> placements.put(unit, machine), () -> placements.remove(unit));
        touched.add(unit);
      } else if (change.key().startsWith(Keys.SCHEDULES)) {
        scheduled(change, delta.revision());
        touched.add(Keys.unitOf(change.key()));
      } else if (change.key().startsWith(Keys.GLOBALS)) {
        decided(change, delta.revision());
      } else if (change.key().equals(Keys.PAUSE)) {
        pausesSince = isInForce(change) ? Optional.of(simulation.now()) : Optional.empty();
      }
    }
    touched.forEach(this::requireOnePlacement);
    reserved
        .overPromised(delta)
        .ifPresent(what -> {
          throw violated(6, "at revision %d %s".formatted(delta.revision(), what));
        });
  }

  private static boolean isInForce(Change change) {
    return change instanceof Change.Written written && PauseRecord.of(written.entry()).isInForce();
  }

  private static Optional<String> placementOf(Change change) {
    return change instanceof Change.Written written
        ? Optional.of(PlacementRecord.of(written.entry()).machine())
        : Optional.empty();
  }

  private void scheduled(Change change, long revision) {
    UnitName unit = Keys.unitOf(change.key());
    String machine = Keys.machineOf(change.key());
    decided(change, revision);
    Set<String> machines = schedules.computeIfAbsent(unit, _ -> new TreeSet<>());
    Copy copy = new Copy(machine, unit);
    switch (change) {
      case Change.Written written -> {
        machines.add(machine);
        strays.remove(copy);
        targets.put(change.key(), ScheduleRecord.of(written.entry()).target());
      }
      case Change.Deleted _ -> {
        machines.remove(machine);
        if (isMissed.test(machine)) {
          requireNoPause(copy);
          strays.add(copy);
        }
      }
    }
  }

  /** Invariant 8: while rescheduling pauses, units of machines that are not there stay there. */
  private void requireNoPause(Copy copy) {
    if (hears.getOrDefault(copy.machine(), false)) {
      return;
    }
    boolean pauses =
        pausesSince.filter(since -> simulation.now() - since > TO_BRAKE.toNanos()).isPresent();
    if (pauses && targets.get(Keys.schedule(copy.machine(), copy.unit())) != Target.STOPPING) {
      throw violated(
          8,
          "%s is taken from machine %s, which is not there, while rescheduling pauses"
              .formatted(copy.unit(), copy.machine()));
    }
  }

  private void decided(Change change, long revision) {
    if (change instanceof Change.Written written) {
      ScheduleRecord record = ScheduleRecord.of(written.entry());
      if (record.target() == Target.LAUNCHED) {
        launches
            .computeIfAbsent(change.key(), _ -> new ArrayList<>())
            .add(new Launch(revision, record.incarnation(), record.restartCounter()));
      }
    }
    decisions.put(change.key(), revision);
  }

  /** Whoever catches it, the run ends with it. */
  private Violation violated(int invariant, String message) {
    var violation = new Violation(invariant, message);
    simulation.fault(violation);
    return violation;
  }

  /** Invariant 1. */
  private void requireOnePlacement(UnitName unit) {
    Set<String> machines = schedules.getOrDefault(unit, Set.of());
    Set<String> placed = Optional.ofNullable(placements.get(unit)).map(Set::of).orElse(Set.of());
    if (!machines.equals(placed)) {
      throw violated(
          1,
          "at revision %d %s is placed on %s and scheduled on %s"
              .formatted(store.revision(), unit, placed, machines));
    }
  }

  // ---- what machines do

  /** Whether a machine's fleetd runs and reaches the store. */
  void hears(String machine, boolean now) {
    if (!Boolean.valueOf(now).equals(hears.put(machine, now))) {
      hearsSince.put(machine, simulation.now());
    }
  }

  /** Whether a machine could hear the cluster all of this time. */
  boolean hasHeardFor(String machine, Duration time) {
    return hears.getOrDefault(machine, false)
        && simulation.now() - hearsSince.getOrDefault(machine, 0L) >= time.toNanos();
  }

  /** A machine's units are to be stopped since its administrator wants so. */
  void released(String machine, boolean is) {
    if (is) {
      released.add(machine);
    } else {
      released.remove(machine);
    }
  }

  /**
   * An agent, which may not have heard the latest, has a unit started: by the first entry since the
   * unit's last end here that asks for what it has noted in the mark.
   */
  void starting(String machine, UnitName unit, Mark mark) {
    Copy copy = new Copy(machine, unit);
    long since = ended.getOrDefault(copy, 0L);
    List<Launch> asked =
        launches.getOrDefault(key(machine, unit), List.of()).stream()
            .filter(launch -> launch.incarnation().equals(mark.incarnation()))
            .filter(launch -> launch.restartCounter() == mark.started().orElse(0))
            .toList();
    if (asked.isEmpty()) {
      throw violated(
          7, "machine %s starts %s, which no entry asks for: %s".formatted(machine, unit, mark));
    }
    launchedBy.put(
        copy,
        asked.stream()
            .filter(launch -> launch.revision() > since)
            .findFirst()
            .orElse(asked.getLast())
            .revision());
  }

  void changed(String machine, UnitName unit, boolean hasProcess) {
    Set<String> machines = running.computeIfAbsent(unit, _ -> new TreeSet<>());
    if (hasProcess) {
      machines.add(machine);
    } else {
      machines.remove(machine);
      ended.put(new Copy(machine, unit), store.revision());
    }
  }

  void poweredOff(String machine) {
    running.values().forEach(machines -> machines.remove(machine));
    strays.removeIf(stray -> stray.machine().equals(machine));
    launchedBy.keySet().removeIf(copy -> copy.machine().equals(machine));
  }

  /** Invariant 7, second half. */
  void stopping(String machine, UnitName unit, boolean hasProcess) {
    if (!hasProcess || released.contains(machine)) {
      return;
    }
    long launched = launchedBy.getOrDefault(new Copy(machine, unit), 0L);
    if (decisions.getOrDefault(key(machine, unit), 0L) <= launched) {
      throw violated(
          7,
          "machine %s stops %s, which runs by revision %d, and no later decision names it"
              .formatted(machine, unit, launched));
    }
  }

  /** Invariant 7, first half. */
  Violation touchedForeign(String machine, UnitName unit, String call) {
    return violated(
        7, "machine %s asks systemd to %s %s, which is not fleet's".formatted(machine, call, unit));
  }

  private String key(String machine, UnitName unit) {
    return isGlobal.test(unit) ? Keys.global(unit) : Keys.schedule(machine, unit);
  }

  // ---- after every step

  /** Invariant 2: a unit runs where it is placed, and nowhere else but on those cut off. */
  void check() {
    running.forEach((unit, machines) -> {
      if (!isGlobal.test(unit)) {
        machines.forEach(machine -> requirePlaced(unit, machine, machines));
      }
    });
  }

  private void requirePlaced(UnitName unit, String machine, Set<String> all) {
    if (machine.equals(placements.get(unit)) || isExcused(new Copy(machine, unit))) {
      return;
    }
    throw violated(
        2,
        "%s runs on %s and is placed on %s (all that run it: %s)"
            .formatted(unit, machine, placements.getOrDefault(unit, "no machine"), all));
  }

  /**
   * The one exception: the unit was placed elsewhere while its machine was lost to the cluster, and
   * the machine has not been able to hear of it for long enough to have stopped it.
   */
  private boolean isExcused(Copy copy) {
    boolean heard =
        hears.getOrDefault(copy.machine(), false)
            && simulation.now() - hearsSince.getOrDefault(copy.machine(), 0L)
                > TO_STOP_STRAYS.toNanos();
    return strays.contains(copy) && !heard;
  }

  /** The machine that a unit is placed on. */
  Optional<String> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit));
  }

  /** What is promised of machines. */
  Reserved reserved() {
    return reserved;
  }

  /** The machines that run a unit. */
  Set<String> running(UnitName unit) {
    return running.getOrDefault(unit, Set.of());
  }
}
