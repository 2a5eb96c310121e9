package fleet.simulation;

import fleet.core.requirements.Requirements;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.RebalanceRecord;
import fleet.registry.records.RolloutRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.SettingsRecord;
import fleet.registry.records.UnitRecord;
import fleet.simulation.store.StoreServer;
import fleet.systemd.simulated.SimulatedSystemd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Compares what people want with what machines do, once that must be the same: invariant 5. */
final class Settled {

  private final World world;
  private final StoreServer store;
  private final Told told;
  private final List<String> complaints = new ArrayList<>();

  /**
   * What readers are told.
   *
   * @param machines the ids of those that are there
   * @param states what they report
   */
  record Told(Set<String> machines, List<UnitState> states) {}

  Settled(World world, Told told) {
    this.world = world;
    this.store = world.store();
    this.told = told;
  }

  /**
   * Throws where something is not as it is wanted.
   *
   * @throws Violation naming all of it
   */
  void require() {
    require(store.get(Keys.LEADER).isPresent(), "nobody leads");
    Map<UnitName, UnitRecord> wanted = wanted();
    wanted.forEach(this::compare);
    for (SimulatedMachine machine : world.machines()) {
      require(
          told.machines().contains(machine.id()),
          "machine %s is not there".formatted(machine.id()));
      compare(machine, wanted);
    }
    store.entries().stream()
        .filter(entry -> entry.key().startsWith(Keys.ROLLOUTS))
        .map(RolloutRecord::of)
        .forEach(record ->
            require(
                record.rollout().stage().isOver(),
                "the rollout of %s is not over".formatted(record.rollout().name())));
    store
        .get(Keys.REBALANCE)
        .map(RebalanceRecord::of)
        .ifPresent(record -> require(record.rebalance().ended(), "a rebalance has not ended"));
    if (!complaints.isEmpty()) {
      throw new Violation(5, String.join("; ", complaints));
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      complaints.add(otherwise);
    }
  }

  /** Those that nobody has cordoned. */
  private Set<String> open(Set<String> machines) {
    Set<String> open = new TreeSet<>(machines);
    open.removeIf(machine ->
        store
            .get(Keys.settings(machine))
            .filter(entry -> SettingsRecord.of(entry).cordoned())
            .isPresent());
    return open;
  }

  private Map<UnitName, UnitRecord> wanted() {
    Map<UnitName, UnitRecord> wanted = new HashMap<>();
    for (Entry entry : store.entries()) {
      if (entry.key().startsWith(Keys.UNITS)) {
        wanted.put(Keys.unitOf(entry.key()), UnitRecord.of(entry));
      }
    }
    return wanted;
  }

  private void compare(UnitName unit, UnitRecord record) {
    Set<String> expected = expectedMachines(unit, record);
    for (SimulatedMachine machine : world.machines()) {
      if (expected.contains(machine.id())) {
        compare(unit, record, machine);
      } else {
        require(
            !linked(machine).contains(unit),
            "%s is on machine %s, where it is not to be".formatted(unit, machine.id()));
      }
    }
  }

  /** Where it is to be: of machines that would do as well as each other, the one chosen. */
  private Set<String> expectedMachines(UnitName unit, UnitRecord record) {
    if (record.desired() == DesiredState.INACTIVE) {
      return Set.of();
    }
    Set<String> fit = new TreeSet<>();
    for (SimulatedMachine machine : world.machines()) {
      if (fits(unit, record, machine)) {
        fit.add(machine.id());
      }
    }
    if (World.isGlobal(unit) || fit.isEmpty()) {
      return fit;
    }
    Optional<String> placed = world.invariants().placement(unit);
    if (placed.isEmpty() && !hasRoom(record, open(fit))) {
      return Set.of();
    }
    require(
        placed.filter(fit::contains).isPresent(),
        "%s is placed on %s and could be on one of %s"
            .formatted(unit, placed.orElse("no machine"), fit));
    return placed.map(Set::of).orElse(Set.of());
  }

  private boolean hasRoom(UnitRecord record, Set<String> machines) {
    long asked = world.invariants().reserved().of(record.sha256());
    return machines.stream()
        .anyMatch(machine ->
            asked <= SimulatedMachine.MEMORY - world.invariants().reserved().placed(machine));
  }

  private boolean fits(UnitName unit, UnitRecord record, SimulatedMachine machine) {
    if (machine.systemd().orElseThrow().isForeign(unit)) {
      return false;
    }
    Map<String, Set<String>> metadata =
        Requirements.of(unit, file(record), record.require()).metadata();
    return metadata.entrySet().stream()
        .allMatch(entry -> entry.getValue().contains(machine.metadata().get(entry.getKey())));
  }

  private UnitFile file(UnitRecord record) {
    try {
      return UnitFile.parse(
          FileRecord.of(store.get(Keys.file(record.sha256())).orElseThrow()).text());
    } catch (UnitFileSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Set<UnitName> linked(SimulatedMachine machine) {
    return machine.systemd().map(SimulatedSystemd::linked).orElse(Set.of());
  }

  private void compare(UnitName unit, UnitRecord record, SimulatedMachine machine) {
    String where = "%s on machine %s".formatted(unit, machine.id());
    require(linked(machine).contains(unit), where + " is not in place");
    String key = World.isGlobal(unit) ? Keys.global(unit) : Keys.schedule(machine.id(), unit);
    Optional<ScheduleRecord> entry = store.get(key).map(ScheduleRecord::of);
    Target target = toBe(record) == DesiredState.LAUNCHED ? Target.LAUNCHED : Target.LOADED;
    require(
        entry
            .filter(found -> found.incarnation().equals(record.incarnation()))
            .filter(found -> found.target() == target)
            .filter(found -> found.restartCounter() == record.restartCounter())
            .isPresent(),
        "%s is scheduled as %s and wanted as %s".formatted(where, entry, record));
    compareState(unit, record, machine, where);
  }

  /** What has ended on a machine that is gone, or gave it up, is not to be started elsewhere. */
  private static DesiredState toBe(UnitRecord record) {
    return record.hasEnded() ? DesiredState.LOADED : record.desired();
  }

  private void compareState(
      UnitName unit, UnitRecord record, SimulatedMachine machine, String where) {
    DesiredState desired = toBe(record);
    SystemdState state = machine.systemd().orElseThrow().state(unit);
    Optional<UnitState> report =
        told.states().stream()
            .filter(one -> one.machine().equals(machine.id()) && one.unit().equals(unit))
            .findFirst();
    if (report.isEmpty()) {
      complaints.add("%s is not reported".formatted(where));
      return;
    }
    UnitState stated = report.get();
    require(
        stated.systemd().equals(state),
        "%s is %s and reported as %s".formatted(where, state, stated.systemd()));
    require(
        stated.performed() == desired,
        "%s is to be %s and is %s".formatted(where, desired, stated.performed()));
    if (desired == DesiredState.LAUNCHED) {
      boolean started =
          state.isActive()
              || machine.systemd().orElseThrow().endedByItself(unit)
              || !stated.problem().isEmpty();
      require(
          stated.restartCounter() == record.restartCounter(),
          "%s: start %d is asked for and %d reported"
              .formatted(where, record.restartCounter(), stated.restartCounter()));
      require(started, where + " was not started as it was to be; it is " + state);
    } else {
      require(!state.isActive(), where + " runs and is to be " + desired.text());
    }
  }

  private void compare(SimulatedMachine machine, Map<UnitName, UnitRecord> wanted) {
    for (UnitName unit : linked(machine)) {
      require(
          wanted.containsKey(unit),
          "%s is on machine %s and in no registry".formatted(unit, machine.id()));
    }
  }
}
