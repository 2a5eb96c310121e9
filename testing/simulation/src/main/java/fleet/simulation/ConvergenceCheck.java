package fleet.simulation;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.FileRecord;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.Keys;
import fleet.registry.records.OperationRecord;
import fleet.registry.records.RebalanceRecord;
import fleet.registry.records.RestartRecord;
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
import java.util.stream.Stream;

/** Compares what people want with what machines do, once that must be the same: invariant 5. */
final class ConvergenceCheck {

  private final World world;
  private final StoreServer store;
  private final Told told;
  private final List<String> complaints = new ArrayList<>();

  /**
   * The answers that readers get.
   *
   * @param machines the ids of those that are there
   * @param states what they report
   */
  record Told(Set<String> machines, List<UnitState> states) {}

  ConvergenceCheck(World world, Told told) {
    this.world = world;
    this.store = world.store();
    this.told = told;
  }

  /**
   * Throws if something has not reached its target state.
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
        .filter(entry -> entry.key().startsWith(Keys.OPERATIONS))
        .map(OperationRecord::of)
        .forEach(this::requireOver);
    world.machines().forEach(this::requireDrained);
    if (!complaints.isEmpty()) {
      throw new Violation(Rule.SETTLES, String.join("; ", complaints));
    }
  }

  private void requireOver(OperationRecord record) {
    boolean mayGoOn =
        switch (record) {
          case RebalanceRecord _ -> false;
          case RestartRecord restart -> isDown(restart.name());
          case RolloutRecord rollout -> {
            requireTurn(rollout);
            yield Stream.concat(rollout.before().keySet().stream(), Workload.family().stream())
                .anyMatch(this::isDown);
          }
        };
    Operation operation = record.operation();
    require(
        operation.stage().isOver() || operation.paused() || mayGoOn,
        operation.id().text() + " is not over");
  }

  /**
   * A unit that finds room elsewhere has left a drained machine, except instances of a template:
   * others of the family may be down.
   */
  private void requireDrained(SimulatedMachine machine) {
    boolean drained =
        store
            .get(Keys.settings(machine.id()))
            .flatMap(entry -> SettingsRecord.of(entry).drain())
            .filter(drain -> !drain.paused())
            .isPresent();
    if (!drained) {
      return;
    }
    wanted()
        .forEach((unit, record) -> {
          boolean isHere =
              world.invariants().placement(unit).filter(machine.id()::equals).isPresent();
          boolean runs = machine.systemd().orElseThrow().state(unit).isActive();
          if (isHere && runs && unit.template().isEmpty()) {
            Set<String> others = new TreeSet<>();
            world.machines().stream()
                .filter(other -> fits(unit, record, other))
                .forEach(other -> others.add(other.id()));
            others.remove(machine.id());
            require(
                !hasRoom(record, open(others)),
                "%s is left on machine %s, which is drained".formatted(unit, machine.id()));
          }
        });
  }

  /** A rollout stops when a unit fails with its new content: the unit gets back what it had. */
  private void requireTurn(RolloutRecord record) {
    boolean goesOn = record.operation().stage() == Stage.FORWARD && !record.operation().paused();
    for (UnitName unit : goesOn ? record.before().keySet() : Set.<UnitName>of()) {
      boolean fails =
          store
              .get(Keys.unit(unit))
              .map(UnitRecord::of)
              .filter(wanted -> wanted.sha256().equals(record.sha256()))
              .flatMap(_ -> world.invariants().placement(unit))
              .map(world::machine)
              .filter(machine -> machine.systemd().orElseThrow().state(unit).isFailed())
              .isPresent();
      require(!fails, "the rollout of %s goes on, and %s fails".formatted(record.name(), unit));
    }
  }

  /** A rollout waits for its family if one of it finds no place, or does not do well. */
  private boolean isDown(UnitName unit) {
    boolean isToRun = DesiredUnits.isToRun(store, unit);
    if (Workload.isGlobal(unit)) {
      return isToRun
          && world.machines().stream()
              .anyMatch(machine -> !machine.systemd().orElseThrow().state(unit).isActive());
    }
    return isToRun
        && world
            .invariants()
            .placement(unit)
            .filter(
                machine -> world.machine(machine).systemd().orElseThrow().state(unit).isActive())
            .isEmpty();
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
        compare(unit, on(machine, unit, record), machine);
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
    if (Workload.isGlobal(unit) || fit.isEmpty()) {
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
    Requirements asks = Requirements.of(unit, file(record), record.require());
    Map<String, String> metadata = metadata(machine);
    boolean hasMetadata =
        asks.metadata().entrySet().stream()
            .allMatch(entry -> entry.getValue().contains(metadata.get(entry.getKey())));
    boolean hasPeers =
        asks.machineOf().stream()
            .allMatch(peer ->
                world
                    .invariants()
                    .placement(UnitName.of(peer))
                    .filter(machine.id()::equals)
                    .isPresent());
    return hasMetadata && hasPeers && !hasFoe(unit, machine);
  }

  private Map<String, String> metadata(SimulatedMachine machine) {
    return store
        .get(Keys.settings(machine.id()))
        .map(entry -> SettingsRecord.of(entry).applyTo(machine.metadata()))
        .orElse(machine.metadata());
  }

  private boolean hasFoe(UnitName unit, SimulatedMachine machine) {
    return isFoe(unit)
        && store.entries().stream()
            .filter(entry -> entry.key().startsWith(Keys.schedules(machine.id())))
            .map(entry -> Keys.unitOf(entry.key()))
            .anyMatch(other -> isFoe(other) && !other.equals(unit));
  }

  private static boolean isFoe(UnitName unit) {
    return unit.value().startsWith("foe");
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
    String key = Workload.isGlobal(unit) ? Keys.global(unit) : Keys.schedule(machine.id(), unit);
    Optional<ScheduleRecord> entry =
        store.get(key).map(ScheduleRecord::of).map(found -> found.on(machine.id()));
    TargetState target =
        toBe(record) == DesiredState.LAUNCHED ? TargetState.LAUNCHED : TargetState.LOADED;
    require(
        entry
            .filter(found -> found.incarnation().equals(record.incarnation()))
            .filter(found -> found.target() == target)
            .filter(found -> found.restartCounter() == record.restartCounter())
            .isPresent(),
        "%s is scheduled as %s and wanted as %s".formatted(where, entry, record));
    compareState(unit, record, machine, where);
  }

  /** Two contents or starts of a global unit are there only until its operation is over. */
  private UnitRecord on(SimulatedMachine machine, UnitName unit, UnitRecord record) {
    Optional<GlobalUpdate> update =
        store.get(Keys.global(unit)).map(ScheduleRecord::of).flatMap(ScheduleRecord::update);
    require(
        update.isEmpty() || goesOn(unit),
        "%s has two contents or starts, and no operation of it goes on".formatted(unit));
    return update
        .filter(other -> other.has(machine.id()))
        .map(other ->
            new UnitRecord(
                other.incarnation(),
                other.sha256(),
                other.hash(),
                record.desired(),
                other.restartCounter(),
                record.by(),
                record.created()))
        .orElse(record);
  }

  private boolean goesOn(UnitName unit) {
    return Stream.of(OperationId.rollout(unit), OperationId.restart(unit))
        .flatMap(id -> store.get(Keys.operation(id)).stream())
        .map(OperationRecord::of)
        .anyMatch(operation -> !operation.operation().stage().isOver());
  }

  /** systemd forgets what has become of a unit that does nothing, and tells nobody. */
  private boolean isAlike(SystemdState told, SystemdState is) {
    return told.equals(is)
        || (told.load().equals(is.load())
            && told.active().equals("inactive")
            && is.active().equals("inactive"));
  }

  /** A unit that has ended on a machine that is gone, or gave it up, is not to start elsewhere. */
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
        isAlike(stated.systemd(), state),
        "%s is %s and reported as %s".formatted(where, state, stated.systemd()));
    require(
        stated.performed() == desired,
        "%s is to be %s and is %s".formatted(where, desired, stated.performed()));
    if (desired == DesiredState.LAUNCHED) {
      // A restart in turns that was cancelled has been carried out on some machines.
      long counter = Math.max(record.restartCounter(), stated.restartCounter());
      var start = new Starts.Start(record.incarnation(), counter);
      boolean started =
          state.isActive()
              || world.invariants().lastStart(machine.id(), unit).filter(start::equals).isPresent()
              || machine.systemd().orElseThrow().endedByItself(unit)
              || !stated.problem().isEmpty();
      require(
          stated.restartCounter() == counter
              && counter <= Math.max(record.restartCounter(), record.highestCounter()),
          "%s: start %d is asked for and %d reported"
              .formatted(where, record.restartCounter(), stated.restartCounter()));
      require(started, where + " was not started as it was to be; it is " + state);
      if (stated.problem().isEmpty()) {
        requireAsked(unit, start, machine, where);
      }
    } else {
      require(!state.isActive(), where + " runs and is to be " + desired.text());
    }
  }

  /** A start that is reported as carried out was asked of systemd. */
  private void requireAsked(
      UnitName unit, Starts.Start start, SimulatedMachine machine, String where) {
    Optional<Starts.Start> last = world.invariants().lastStart(machine.id(), unit);
    require(
        last.filter(start::equals).isPresent(),
        "%s: systemd was never asked for start %d; its last was %s"
            .formatted(where, start.restartCounter(), last));
  }

  private void compare(SimulatedMachine machine, Map<UnitName, UnitRecord> wanted) {
    for (UnitName unit : linked(machine)) {
      require(
          wanted.containsKey(unit),
          "%s is on machine %s and in no registry".formatted(unit, machine.id()));
    }
  }
}
