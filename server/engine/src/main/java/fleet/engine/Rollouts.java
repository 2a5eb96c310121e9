package fleet.engine;

import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.OperationStep;
import fleet.engine.decide.RolloutReconciliation;
import fleet.engine.decide.RolloutUnit;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.engine.decide.RolloutUnit.Content;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The progress of rollouts, and what comes next in them. Decides nothing and changes nothing: the
 * leader acts on it, and readers see the same. Owned by the state thread.
 */
final class Rollouts {

  private static final int NAMED = 3;
  private static final int HASH_SHOWN = 7;

  private final ClusterState cluster;
  private final UnitViews views;
  private final UnavailableUnits outages;
  private final GlobalRollouts globals;

  Rollouts(LiveState state) {
    this.cluster = state.cluster();
    this.views = state.views();
    this.outages = new UnavailableUnits(state);
    this.globals = new GlobalRollouts(state);
  }

  /** Tells how long a unit has been in a condition that has to last. */
  interface Stopwatch {

    /**
     * Asked about each unit at each look, or about each machine of a global unit.
     *
     * @param subject the name of the unit, or the id of the machine
     * @param condition in words that differ for different conditions
     */
    Duration since(String subject, String condition);
  }

  OperationStep next(RolloutRecord record, Stopwatch stopwatch) {
    if (record.global().isPresent()) {
      return globals.next(record, record.global().get(), stopwatch);
    }
    OperationStep next =
        new RolloutReconciliation(record, units(record, stopwatch), othersDown(record)).next();
    return next instanceof OperationStep.Replace replace && !cluster.files().has(replace.gets())
        // An older fleet that led for a while has taken it for one that nobody needs.
        ? OperationStep.Write.enter(
            record,
            Stage.BACK,
            "is being reverted",
            "the registry has lost the file of the new content")
        : next;
  }

  /** The units of a rollout that are still there, sorted. */
  private List<RolloutUnit> units(RolloutRecord record, Stopwatch stopwatch) {
    List<RolloutUnit> units = new ArrayList<>();
    record
        .before()
        .forEach((name, before) ->
            cluster
                .units()
                .of(name)
                .ifPresent(known -> units.add(unit(record, known, before, stopwatch))));
    return units;
  }

  /** The instances of the same template that are down and do not belong to the rollout. */
  private Set<UnitName> othersDown(RolloutRecord record) {
    Set<UnitName> down = new HashSet<>();
    for (UnitName instance : cluster.units().instances(record.name())) {
      if (!record.before().containsKey(instance) && outages.of(instance).isPresent()) {
        down.add(instance);
      }
    }
    return down;
  }

  private RolloutUnit unit(
      RolloutRecord record, KnownUnit known, String before, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    boolean proven = record.proven().contains(name);
    Content content = content(record, known, before, proven);
    boolean proving =
        content == Content.NEW && record.operation().stage() == Stage.FORWARD && !proven;
    return new RolloutUnit(
        name,
        before,
        content,
        condition(known, proving, stopwatch),
        outages.of(name).isPresent(),
        proven);
  }

  /** Reverting after a unit was proven healthy is deliberate. */
  private Content content(RolloutRecord record, KnownUnit known, String before, boolean proven) {
    boolean back = record.operation().stage() == Stage.BACK;
    if (known.sha256().equals(record.sha256())) {
      return back && !cluster.files().has(before) ? Content.ANOTHER : Content.NEW;
    }
    boolean takenBack = proven && record.operation().stage() == Stage.FORWARD;
    return known.sha256().equals(before) && !takenBack ? Content.BEFORE : Content.ANOTHER;
  }

  private Condition condition(KnownUnit known, boolean proving, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    Condition condition = condition(known, proving);
    return switch (condition) {
      case Condition.Up up ->
          new Condition.Up(up.how(), stopwatch.since(name.value(), lasting(name)));
      case Condition.NoPlace none ->
          new Condition.NoPlace(
              none.how(), stopwatch.since(name.value(), "no place " + known.unit().incarnation()));
      case Condition.Idle _, Condition.Coming _, Condition.Bad _ -> {
        Duration _ = stopwatch.since(name.value(), "");
        yield condition;
      }
    };
  }

  /** Changes as soon as the unit runs elsewhere, or was started again. */
  private String lasting(UnitName unit) {
    return cluster.reports().states(unit).values().stream()
        .map(state -> state.machine() + " " + state.systemd().invocation())
        .collect(Collectors.joining(", "));
  }

  private Condition condition(KnownUnit known, boolean proving) {
    UnitName name = known.unit().name();
    Optional<String> fault = cluster.fault(name);
    if (fault.isPresent()) {
      return new Condition.Bad("is left alone: " + fault.get());
    }
    if (known.unit().desired() != DesiredState.LAUNCHED) {
      return new Condition.Idle("stays " + known.unit().desired().text());
    }
    if (known.hasEnded()) {
      return new Condition.Idle("has ended");
    }
    return cluster
        .schedule()
        .of(name)
        .map(placed -> condition(known, placed, proving))
        .orElseGet(() -> without(name));
  }

  /** A unit that still runs elsewhere with its former content is on its way. */
  private Condition without(UnitName name) {
    String why = views.whyWaiting(name);
    return why.isEmpty() || !cluster.reports().states(name).isEmpty()
        ? new Condition.Coming("is about to be placed")
        : new Condition.NoPlace(why, Duration.ZERO);
  }

  private Condition condition(KnownUnit known, ScheduledUnit placed, boolean proving) {
    UnitName name = known.unit().name();
    String machine = placed.machine();
    String on = " on machine " + machine;
    if (!placed.record().incarnation().equals(known.unit().incarnation())) {
      return new Condition.Coming("is being stopped with its earlier content" + on);
    }
    UnitState state = cluster.reports().state(name, machine);
    if (!cluster.isThere(machine)) {
      return new Condition.Coming("is on machine " + machine + ", which is away");
    }
    if (state == null || !UnavailableUnits.isOfLastStart(placed, state)) {
      return new Condition.Coming("is being started" + on);
    }
    return Condition.of(state, on, proving);
  }

  // ---- how it goes

  OperationProgress progress(RolloutRecord record) {
    if (record.global().isPresent()) {
      return globals.progress(record, record.global().get(), details(record));
    }
    List<RolloutUnit> units = units(record, (_, _) -> Duration.ZERO);
    Set<UnitName> heldUpBy =
        new RolloutReconciliation(record, units, othersDown(record)).heldUpBy();
    return new OperationProgress(
        record.operation(),
        details(record),
        waitsFor(record.operation(), heldUpBy),
        units.stream().map(unit -> step(record.operation(), unit)).toList());
  }

  private static String details(RolloutRecord record) {
    return "content %s, healthy after %d s"
        .formatted(
            record.hash().substring(0, Math.min(HASH_SHOWN, record.hash().length())),
            record.healthy().toSeconds());
  }

  private String waitsFor(Operation rollout, Set<UnitName> down) {
    if (down.isEmpty()) {
      return "";
    }
    List<String> named =
        down.stream()
            .limit(NAMED)
            .map(unit -> unit + outages.of(unit).map(one -> " " + one.how()).orElse(" is down"))
            .toList();
    int more = down.size() - named.size();
    return "at most %d may be down at a time: %s%s"
        .formatted(
            rollout.maxUnavailable(),
            String.join(", ", named),
            more > 0 ? " and " + more + " more are down" : "");
  }

  private static Step step(Operation rollout, RolloutUnit unit) {
    String how = unit.condition().how();
    if (unit.content() == Content.ANOTHER) {
      return step(unit, Standing.EXEMPT, "its content was changed by somebody else");
    }
    Content aim = isForward(rollout) ? Content.NEW : Content.BEFORE;
    return step(
        unit,
        unit.content() == aim
            ? standing(unit.condition(), unit.proven() || aim == Content.BEFORE)
            : Standing.WAITS,
        how);
  }

  private static Step step(RolloutUnit unit, Standing standing, String detail) {
    return new Step(unit.name(), standing, "", "", detail);
  }

  static boolean isForward(Operation rollout) {
    return rollout.stage() != Stage.BACK && rollout.stage() != Stage.UNDONE;
  }

  /**
   * The state of a unit with the content that it is to have.
   *
   * @param proven whether it need not prove itself, or has done so
   */
  static Standing standing(Condition condition, boolean proven) {
    return switch (condition) {
      case Condition.Idle _ -> Standing.DONE;
      case Condition.Bad _ -> Standing.FAILED;
      case Condition.Coming _, Condition.NoPlace _ -> Standing.STARTING;
      case Condition.Up _ -> proven ? Standing.DONE : Standing.PROVING;
    };
  }
}
