package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.core.schedule.TargetState;
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
import java.util.stream.Collectors;

/**
 * Watches a world and throws a {@link Violation} in the very step that breaks an invariant of the
 * design. It looks at the store and at what systemds really run, and believes nothing else.
 */
final class Invariants {

  /**
   * How long after it can hear the cluster again a machine has for stopping what was placed
   * elsewhere while it could not: to join again, to hear its schedule, and to stop the unit.
   */
  private static final Duration TO_STOP_STRAYS = Duration.ofSeconds(25);

  /**
   * A machine that can hear the cluster for so long has heard what was decided before: what is on
   * its way to it arrives, late as it may be.
   */
  private static final Duration TO_HEAR = Duration.ofSeconds(8);

  /** How long a unit and its machine must have been well for the leader to know. */
  private static final Duration TO_BE_UP = Duration.ofSeconds(5);

  /** Writes under way when the leader paused rescheduling may still happen. */
  private static final Duration TO_BRAKE = Duration.ofSeconds(5);

  private final Judge judge;
  private final Simulation simulation;
  private final StoreServer store;
  private final Contacts contacts;
  private final Predicate<String> isMissed;
  private final Predicate<UnitName> isGlobal;
  private final Map<UnitName, String> placements = new HashMap<>();
  private final Map<UnitName, Set<String>> schedules = new HashMap<>();
  private final Map<UnitName, Set<String>> running = new TreeMap<>(Invariants::byName);
  private final Map<Copy, Long> strays = new HashMap<>();
  private final Map<Copy, Long> launchedBy = new HashMap<>();
  private final Map<String, List<Launch>> launches = new HashMap<>();
  private final Map<Copy, Long> ended = new HashMap<>();
  private final Map<String, TargetState> targets = new HashMap<>();
  private final Map<String, Long> scheduledAt = new HashMap<>();
  private final ReservedMemory reserved;
  private boolean dirty;
  private Optional<Long> pausesSince = Optional.empty();
  private final Map<String, Long> decisions = new HashMap<>();
  private final Set<String> released = new HashSet<>();
  private final Starts starts;
  private final FinishedJobs finished;
  private final FamilyWatch families;
  private final GlobalRolloutWatch globals;
  private final Map<Copy, Long> upSince = new HashMap<>();

  private final boolean stopsWhenIsolated;

  /** An entry that has a unit launched. */
  private record Launch(long revision, ScheduleRecord record) {

    /** Whether a machine that has the entry is to make this start. */
    boolean asks(String machine, Mark mark) {
      ScheduleRecord here = record.on(machine);
      return here.incarnation().equals(mark.incarnation())
          && here.restartCounter() == mark.started().orElse(0);
    }
  }

  /**
   * @param isMissed whether the cluster may take the machine with that id for lost
   * @param stopsWhenIsolated whether machines stop their units before others may run them
   */
  Invariants(
      Judge judge,
      Contacts contacts,
      Predicate<String> isMissed,
      Predicate<UnitName> isGlobal,
      boolean stopsWhenIsolated,
      StoreServer store) {
    this.judge = judge;
    this.simulation = judge.simulation();
    this.contacts = contacts;
    this.isMissed = isMissed;
    this.store = store;
    this.isGlobal = isGlobal;
    this.stopsWhenIsolated = stopsWhenIsolated;
    this.reserved = new ReservedMemory(store);
    this.starts = new Starts(judge);
    this.finished = new FinishedJobs(judge, contacts);
    this.families = new FamilyWatch(judge, store, this::isUp);
    this.globals = new GlobalRolloutWatch(judge, store, this::upCopies, isMissed);
    store.observe(this::committed);
  }

  private Optional<Starts.Start> asked(Copy copy) {
    return store
        .get(key(copy.machine(), copy.unit()))
        .map(ScheduleRecord::of)
        .map(record -> record.on(copy.machine()))
        .map(record -> new Starts.Start(record.incarnation(), record.restartCounter()));
  }

  private boolean isUp(UnitName unit) {
    return placement(unit).map(machine -> new Copy(machine, unit)).filter(this::isUp).isPresent();
  }

  private boolean isUp(Copy one) {
    return !released.contains(one.machine())
        && contacts.hasHeardFor(one.machine(), TO_BE_UP)
        && contacts.hasBeenLedFor(TO_BE_UP)
        && upSince.containsKey(one)
        && starts.last(one).equals(asked(one))
        && simulation.now() - upSince.get(one) >= TO_BE_UP.toNanos();
  }

  private Set<Copy> upCopies(UnitName unit) {
    return upSince.keySet().stream()
        .filter(copy -> copy.unit().equals(unit) && isUp(copy))
        .collect(Collectors.toSet());
  }

  /** Whether the last start of a copy is the one that its entry asks for now. */
  private boolean isAsAsked(Copy copy) {
    return starts.last(copy).equals(asked(copy));
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
        dirty = true;
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
          throw judge.violated(
              Rule.WITHIN_RESOURCES, "at revision %d %s".formatted(delta.revision(), what));
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
        scheduledAt.put(change.key(), simulation.now());
      }
      case Change.Deleted _ -> {
        machines.remove(machine);
        if (isMissed.test(machine)) {
          requireNoPause(copy);
          strays.put(copy, simulation.now());
        }
      }
    }
  }

  /**
   * While rescheduling pauses, units of machines that are not there stay there. A machine that was
   * given one just now was there, and may have refused it.
   */
  private void requireNoPause(Copy copy) {
    String key = Keys.schedule(copy.machine(), copy.unit());
    boolean refused = simulation.now() - scheduledAt.getOrDefault(key, 0L) < TO_BRAKE.toNanos();
    if (refused || contacts.hears(copy.machine())) {
      return;
    }
    boolean pauses =
        pausesSince.filter(since -> simulation.now() - since > TO_BRAKE.toNanos()).isPresent();
    if (pauses && targets.get(key) != TargetState.STOPPING) {
      throw judge.violated(
          Rule.PAUSES,
          "%s is taken from machine %s, which is not there, while rescheduling pauses"
              .formatted(copy.unit(), copy.machine()));
    }
  }

  private void decided(Change change, long revision) {
    if (change instanceof Change.Written written) {
      ScheduleRecord record = ScheduleRecord.of(written.entry());
      if (record.target() == TargetState.LAUNCHED) {
        launches
            .computeIfAbsent(change.key(), _ -> new ArrayList<>())
            .add(new Launch(revision, record));
      }
    }
    decisions.put(change.key(), revision);
  }

  /** Invariant 1. */
  private void requireOnePlacement(UnitName unit) {
    Set<String> machines = schedules.getOrDefault(unit, Set.of());
    Set<String> placed = Optional.ofNullable(placements.get(unit)).map(Set::of).orElse(Set.of());
    if (!machines.equals(placed)) {
      throw judge.violated(
          Rule.ONE_PLACEMENT,
          "at revision %d %s is placed on %s and scheduled on %s"
              .formatted(store.revision(), unit, placed, machines));
    }
  }

  // ---- what machines do

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
   *
   * @param takesEffect whether it does not run already
   */
  void starting(String machine, UnitName unit, Mark mark, boolean takesEffect) {
    Copy copy = new Copy(machine, unit);
    long since = ended.getOrDefault(copy, 0L);
    List<Launch> asked =
        launches.getOrDefault(key(machine, unit), List.of()).stream()
            .filter(launch -> launch.asks(machine, mark))
            .toList();
    if (asked.isEmpty()) {
      throw judge.violated(
          Rule.ONLY_AS_DECIDED,
          "machine %s starts %s, which no entry asks for: %s".formatted(machine, unit, mark));
    }
    launchedBy.put(
        copy,
        asked.stream()
            .filter(launch -> launch.revision() > since)
            .findFirst()
            .orElse(asked.getLast())
            .revision());
    starts.starting(copy, mark, takesEffect);
    finished.starting(copy, mark);
    requireStartHere(copy);
  }

  /** The second half of invariant 2: fleet itself starts no second one. */
  private void requireStartHere(Copy copy) {
    boolean isElsewhere =
        !isGlobal.test(copy.unit()) && !copy.machine().equals(placements.get(copy.unit()));
    if (isElsewhere && (stopsWhenIsolated || contacts.hasHeardFor(copy.machine(), TO_HEAR))) {
      throw judge.violated(
          Rule.ONE_MACHINE,
          "machine %s, which hears the cluster, starts %s, which is placed on %s"
              .formatted(
                  copy.machine(), copy.unit(), placements.getOrDefault(copy.unit(), "no machine")));
    }
  }

  /** A unit was stopped: the same start may be made again. */
  void stopped(String machine, UnitName unit) {
    starts.stopped(new Copy(machine, unit));
  }

  /** The last start of a unit that a machine's systemd was asked for. */
  Optional<Starts.Start> lastStart(String machine, UnitName unit) {
    return starts.last(new Copy(machine, unit));
  }

  /**
   * A unit has changed its state.
   *
   * @param hasEnded whether it has run to its end by itself, and well
   */
  void changed(
      String machine, UnitName unit, boolean hasProcess, boolean active, boolean hasEnded) {
    Copy copy = new Copy(machine, unit);
    Set<String> machines = running.computeIfAbsent(unit, _ -> new TreeSet<>());
    dirty = true;
    if (hasProcess) {
      machines.add(machine);
    } else {
      machines.remove(machine);
      ended.put(copy, store.revision());
    }
    if (active) {
      upSince.putIfAbsent(copy, simulation.now());
    } else {
      upSince.remove(copy);
    }
    if (active || hasEnded) {
      families.isSettled(copy);
      if (isAsAsked(copy)) {
        globals.isSettled(copy);
      }
    }
    // A machine that had lost the unit ran on what runs elsewhere, too.
    if (hasEnded && machine.equals(placements.get(unit))) {
      starts.last(copy).ifPresent(start -> finished.ended(copy, start));
    }
    requireOneMachine(unit, machines);
  }

  private void requireOneMachine(UnitName unit, Set<String> machines) {
    boolean isStrict =
        stopsWhenIsolated
            && !isGlobal.test(unit)
            && machines.stream()
                .filter(one -> !one.equals(placements.get(unit)))
                .noneMatch(one -> isExcused(new Copy(one, unit)));
    if (isStrict && machines.size() > 1) {
      throw judge.violated(
          Rule.ONE_MACHINE,
          "%s runs on %s, which stop their units when they are cut off".formatted(unit, machines));
    }
  }

  void poweredOff(String machine) {
    running.values().forEach(machines -> machines.remove(machine));
    strays.keySet().removeIf(stray -> stray.machine().equals(machine));
    upSince.keySet().removeIf(copy -> copy.machine().equals(machine));
    starts.poweredOff(machine);
    launchedBy.keySet().removeIf(copy -> copy.machine().equals(machine));
  }

  /** Invariant 7, second half. */
  void stopping(String machine, UnitName unit, boolean hasProcess) {
    if (!hasProcess || released.contains(machine)) {
      return;
    }
    long launched = launchedBy.getOrDefault(new Copy(machine, unit), 0L);
    if (decisions.getOrDefault(key(machine, unit), 0L) <= launched) {
      throw judge.violated(
          Rule.ONLY_AS_DECIDED,
          "machine %s stops %s, which runs by revision %d, and no later decision names it"
              .formatted(machine, unit, launched));
    }
  }

  /** Invariant 7, first half. */
  Violation touchedForeign(String machine, UnitName unit, String call) {
    return judge.violated(
        Rule.ONLY_AS_DECIDED,
        "machine %s asks systemd to %s %s, which is not fleet's".formatted(machine, call, unit));
  }

  private String key(String machine, UnitName unit) {
    return isGlobal.test(unit) ? Keys.global(unit) : Keys.schedule(machine, unit);
  }

  // ---- after every step

  /** Looks at what the last step has changed. */
  void check() {
    if (dirty) {
      dirty = false;
      requirePlaced();
    }
  }

  /** Looks at what time alone changes. */
  void look() {
    finished.look();
    requirePlaced();
  }

  /** Invariant 2: a unit runs where it is placed, and nowhere else but on those cut off. */
  private void requirePlaced() {
    running.forEach((unit, machines) -> {
      if (!isGlobal.test(unit)) {
        machines.forEach(machine -> requirePlaced(unit, machine, machines));
      }
    });
  }

  private void requirePlaced(UnitName unit, String machine, Set<String> all) {
    Copy copy = new Copy(machine, unit);
    if (machine.equals(placements.get(unit)) || isExcused(copy)) {
      return;
    }
    throw judge.violated(
        Rule.ONE_MACHINE,
        "%s runs on %s and is placed on %s (all that run it: %s)"
            .formatted(unit, machine, placements.getOrDefault(unit, "no machine"), all));
  }

  /**
   * The one exception: the unit was placed elsewhere while its machine was lost to the cluster, and
   * the machine has not been able to hear of it for long enough to have stopped it.
   */
  private boolean isExcused(Copy copy) {
    Long since = strays.get(copy);
    if (since == null || stopsWhenIsolated) {
      return false;
    }
    return !contacts.hasHeardFor(copy.machine(), TO_STOP_STRAYS)
        || simulation.now() - since < TO_STOP_STRAYS.toNanos();
  }

  /** The machine that a unit is placed on. */
  Optional<String> placement(UnitName unit) {
    return Optional.ofNullable(placements.get(unit));
  }

  /** The memory reserved on machines. */
  ReservedMemory reserved() {
    return reserved;
  }

  /** The machines that run a unit. */
  Set<String> running(UnitName unit) {
    return running.getOrDefault(unit, Set.of());
  }
}
