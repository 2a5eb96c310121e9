package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.core.desired.Unit;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.requirements.Requirements;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.decide.GlobalRolloutReconciliation;
import fleet.engine.decide.OperationStep;
import fleet.engine.decide.RolloutMachine;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.StoredOperations;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.RestartRecord;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The progress of rollouts and restarts of global units, and what comes next in them. Decides
 * nothing and changes nothing. Owned by the state thread.
 */
final class GlobalRollouts {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final MissingMachines missing;

  GlobalRollouts(LiveState state) {
    this.cluster = state.cluster();
    this.schedulerState = state.schedulerState();
    this.missing = state.missing();
  }

  OperationStep next(GlobalOperation record, GlobalRollout global, Rollouts.Stopwatch stopwatch) {
    Optional<KnownUnit> known = cluster.units().of(record.name());
    if (known.isEmpty()) {
      return new OperationStep.Forget();
    }
    Optional<String> end = endedBy(record, global, known.get());
    if (record.operation().goesOn() && end.isPresent()) {
      return OperationStep.Write.enter(record, Stage.CANCELLED, "is cancelled", end.get());
    }
    Optional<String> fault =
        record instanceof RolloutRecord && record.operation().stage() == Stage.FORWARD
            ? fault(record, global, known.get())
            : Optional.empty();
    if (fault.isPresent()) {
      return OperationStep.Write.enter(record, Stage.BACK, "is being reverted", fault.get());
    }
    return new GlobalRolloutReconciliation(
            record,
            global,
            machines(record, global, known.get(), stopwatch),
            missing.whyTurnsWait().isPresent())
        .next();
  }

  /** Why the new content cannot become that of all machines. */
  private Optional<String> fault(GlobalOperation record, GlobalRollout global, KnownUnit known) {
    if (!cluster.files().has(global.update().sha256())) {
      return Optional.of("the registry has lost the file of the new content");
    }
    return fitsNowhere(turned(record, global, known), known)
            && !record.operation().paused()
            && missing.whyTurnsWait().isEmpty()
        ? Optional.of("the new content fits no machine that is there")
        : Optional.empty();
  }

  /** Then the unit would stop on each machine, which looks like success. */
  private boolean fitsNowhere(Requirements turned, KnownUnit known) {
    return known.wantsPlace()
        && !turned.equals(known.requirements())
        && schedulerState.wouldApplyOn(known, turned).isEmpty()
        && !schedulerState.wouldApplyOn(known, known.requirements()).isEmpty();
  }

  /** Another change of the unit ends the operation; a stopped unit gets its new content. */
  private static Optional<String> endedBy(
      GlobalOperation record, GlobalRollout global, KnownUnit known) {
    Unit unit = known.unit();
    if (!StoredOperations.isOf(global, known)) {
      return Optional.of(unit.name() + " was replaced or started again by " + unit.by());
    }
    return record instanceof RestartRecord && unit.desired() != DesiredState.LAUNCHED
        ? Optional.of(
            "%s is %s now, as %s asked".formatted(unit.name(), unit.desired().text(), unit.by()))
        : Optional.empty();
  }

  private List<RolloutMachine> machines(
      GlobalOperation record, GlobalRollout global, KnownUnit known, Rollouts.Stopwatch stopwatch) {
    Requirements turned = turned(record, global, known);
    if (turned.equals(known.requirements())) {
      return schedulerState.appliesOn(known).stream()
          .map(machine -> machine(record, global, known, machine, stopwatch))
          .toList();
    }
    Set<String> before = schedulerState.wouldApplyOn(known, known.requirements());
    Set<String> after = schedulerState.wouldApplyOn(known, turned);
    Set<String> either = new TreeSet<>(before);
    either.addAll(after);
    return either.stream()
        .map(machine -> {
          boolean isNew = isNew(record, global, known, machine);
          return (isNew ? after : before).contains(machine)
              ? machine(record, global, known, machine, stopwatch)
              : unfit(global, known, machine, isNew);
        })
        .toList();
  }

  /** The requirements of the new content; those of the former one if it does not matter. */
  private Requirements turned(GlobalOperation record, GlobalRollout global, KnownUnit known) {
    return record.operation().goesOn() && cluster.files().has(global.update().sha256())
        ? cluster.files().requirements(known, global.update())
        : known.requirements();
  }

  /** The machine does not fit the content that it is to have, and stops the unit. */
  private RolloutMachine unfit(
      GlobalRollout global, KnownUnit known, String machine, boolean isNew) {
    boolean stopped = cluster.reports().state(known.unit().name(), machine) == null;
    return new RolloutMachine(
        machine,
        isNew,
        stopped
            ? new Condition.Idle("does not run, as the machine does not fit")
            : new Condition.Coming("is being stopped, as the machine does not fit"),
        global.isProven(machine));
  }

  private RolloutMachine machine(
      GlobalOperation record,
      GlobalRollout global,
      KnownUnit known,
      String machine,
      Rollouts.Stopwatch stopwatch) {
    Operation operation = record.operation();
    boolean isNew = isNew(record, global, known, machine);
    boolean proven = global.isProven(machine);
    boolean proving = isNew && !proven && operation.stage() == Stage.FORWARD;
    Condition condition =
        isNew && operation.goesOn()
            ? condition(known, machine, global.update(), proving)
            : condition(
                known, machine, known.unit().incarnation(), known.unit().restartCounter(), false);
    if (record instanceof RestartRecord) {
      // A machine that refuses the unit has nothing to restart.
      condition =
          refusal(known, machine, known.unit().incarnation())
              .<Condition>map(Condition.Idle::new)
              .orElse(condition);
    }
    return new RolloutMachine(machine, isNew, timed(machine, known, condition, stopwatch), proven);
  }

  /** A restart that is over still tells how far it came. */
  private static boolean isNew(
      GlobalOperation record, GlobalRollout global, KnownUnit known, String machine) {
    if (record.operation().stage() == Stage.DONE) {
      return true;
    }
    return record instanceof RestartRecord
        // A restart or replacement meanwhile is on all machines.
        ? global.update().has(machine) || !StoredOperations.isOf(global, known)
        : record.operation().goesOn() && global.update().has(machine);
  }

  private Optional<String> refusal(KnownUnit known, String machine, Incarnation wanted) {
    return cluster
        .reports()
        .refusal(machine, known.unit().name(), wanted)
        .map(why -> "is refused: " + why);
  }

  private Condition timed(
      String machine, KnownUnit known, Condition condition, Rollouts.Stopwatch stopwatch) {
    if (!(condition instanceof Condition.Up up)) {
      Duration _ = stopwatch.since(machine, "");
      return condition;
    }
    UnitState state = cluster.reports().state(known.unit().name(), machine);
    String run =
        state == null
            ? ""
            : state.incarnation()
                + " "
                + state.restartCounter()
                + " "
                + state.systemd().invocation();
    return new Condition.Up(up.how(), stopwatch.since(machine, run));
  }

  private Condition condition(
      KnownUnit known, String machine, GlobalUpdate update, boolean proving) {
    return condition(known, machine, update.incarnation(), update.restartCounter(), proving);
  }

  private Condition condition(
      KnownUnit known, String machine, Incarnation wanted, long counter, boolean proving) {
    UnitName name = known.unit().name();
    if (known.unit().desired() != DesiredState.LAUNCHED) {
      return new Condition.Idle("stays " + known.unit().desired().text());
    }
    Optional<String> refusal = refusal(known, machine, wanted);
    if (refusal.isPresent()) {
      return new Condition.Bad(refusal.get());
    }
    UnitState state = cluster.reports().state(name, machine);
    if (state == null
        || !state.incarnation().equals(wanted)
        || state.performed() != DesiredState.LAUNCHED
        || state.restartCounter() < counter) {
      return new Condition.Coming("is being started");
    }
    return Condition.of(state, "", proving);
  }

  // ---- how it goes

  OperationProgress progress(GlobalOperation record, GlobalRollout global, String details) {
    Optional<KnownUnit> known = cluster.units().of(record.name());
    List<RolloutMachine> machines =
        known
            .map(unit -> machines(record, global, unit, (_, _) -> Duration.ZERO))
            .orElse(List.of());
    return new OperationProgress(
        record.operation(),
        details,
        waitsFor(record.operation()),
        machines.stream().map(machine -> step(record, machine)).toList());
  }

  private String waitsFor(Operation operation) {
    return operation.stage() == Stage.FORWARD && !operation.paused()
        ? missing.whyTurnsWait().orElse("")
        : "";
  }

  private static Step step(GlobalOperation record, RolloutMachine machine) {
    boolean forward = Rollouts.isForward(record.operation());
    boolean proven = machine.proven() || !forward || record.operation().stage().isOver();
    Standing standing =
        machine.isNew() == forward
            ? Rollouts.standing(machine.condition(), proven)
            : Standing.WAITS;
    return new Step(record.name(), standing, "", machine.id(), machine.condition().how());
  }
}
