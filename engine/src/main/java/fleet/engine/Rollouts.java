package fleet.engine;

import fleet.cluster.RolloutProgress;
import fleet.cluster.RolloutProgress.OfUnit;
import fleet.cluster.RolloutProgress.Standing;
import fleet.core.operation.Rollout;
import fleet.core.operation.Rollout.Stage;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.RolloutUnit;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.engine.decide.RolloutUnit.Content;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.engine.picture.Placed;
import fleet.engine.picture.StoredRollouts.Stored;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How far rollouts are. Decides nothing and changes nothing: the leader goes by it, and whoever
 * asks is told the same. Owned by the picture's event loop.
 */
final class Rollouts {

  private final ClusterPicture picture;
  private final Views views;
  private final Outages outages;

  Rollouts(ClusterPicture picture, Views views, Room room) {
    this.picture = picture;
    this.views = views;
    this.outages = new Outages(picture, views, room);
  }

  /** Tells for how long a unit has been in a condition that has to last. */
  interface Stopwatch {

    /**
     * Of a unit that is active, or has no place.
     *
     * @param condition in words that are others as soon as it is another condition
     */
    Duration since(UnitName unit, String condition);
  }

  /** The units of a rollout that are still there, sorted. */
  List<RolloutUnit> units(RolloutRecord record, Stopwatch stopwatch) {
    List<RolloutUnit> units = new ArrayList<>();
    record
        .before()
        .forEach((name, before) ->
            picture
                .unit(UnitName.of(name))
                .ifPresent(known -> units.add(unit(record, known, before, stopwatch))));
    return units;
  }

  /** Those of the same template that are down and do not belong to the rollout. */
  Set<UnitName> othersDown(RolloutRecord record) {
    Set<UnitName> down = new HashSet<>();
    for (UnitName instance : picture.instances(record.rollout().name())) {
      if (!record.before().containsKey(instance.value()) && outages.of(instance).isPresent()) {
        down.add(instance);
      }
    }
    return down;
  }

  private RolloutUnit unit(
      RolloutRecord record, KnownUnit known, String before, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    boolean proven = record.proven().contains(name.value());
    return new RolloutUnit(
        name,
        before,
        content(record, known, before),
        condition(known, proven, stopwatch),
        outages.of(name).isPresent(),
        proven);
  }

  private static Content content(RolloutRecord record, KnownUnit known, String before) {
    if (known.sha256().equals(record.sha256())) {
      return Content.NEW;
    }
    return known.sha256().equals(before) ? Content.BEFORE : Content.ANOTHER;
  }

  private Condition condition(KnownUnit known, boolean proven, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    Optional<String> fault = picture.fault(name);
    if (fault.isPresent()) {
      return new Condition.Bad("is left alone: " + fault.get());
    }
    if (known.unit().desired() != DesiredState.LAUNCHED) {
      return new Condition.Idle("is to be " + known.unit().desired().text());
    }
    return picture
        .placed(name)
        .map(placed -> condition(known, placed, proven, stopwatch))
        .orElseGet(() -> without(known, stopwatch));
  }

  /** A unit that still runs elsewhere with what it had before is on its way. */
  private Condition without(KnownUnit known, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    String why = views.whyWaiting(name);
    if (why.isEmpty() || !picture.states(name).isEmpty()) {
      return new Condition.Coming("is about to be placed");
    }
    return new Condition.NoPlace(why, stopwatch.since(name, "no place"));
  }

  private Condition condition(KnownUnit known, Placed placed, boolean proven, Stopwatch stopwatch) {
    UnitName name = known.unit().name();
    String machine = placed.machine();
    String on = " on machine " + machine;
    if (!placed.record().incarnation().equals(known.unit().incarnation())) {
      return new Condition.Coming("is being stopped with its earlier content" + on);
    }
    UnitState state = picture.state(name, machine);
    if (!picture.isThere(machine)) {
      return new Condition.Coming("is on machine " + machine + ", which is away");
    }
    if (state == null || !Outages.isOfLastStart(placed, state)) {
      return new Condition.Coming("is being started" + on);
    }
    if (!state.problem().isEmpty()) {
      return new Condition.Bad("was not started" + on + ": " + state.problem());
    }
    var systemd = state.systemd();
    if (systemd.isFailed()) {
      return new Condition.Bad("failed" + on + ": " + systemd.result());
    }
    if (systemd.restarts() > 0 && !proven) {
      return new Condition.Bad(
          "was started again by systemd%s, %d times".formatted(on, systemd.restarts()));
    }
    if (systemd.isActive()) {
      String run = machine + " " + systemd.invocation();
      return new Condition.Up("is active" + on, stopwatch.since(name, run));
    }
    return systemd.isChanging()
        ? new Condition.Coming("is " + systemd.active() + on)
        : new Condition.Idle("has ended" + on);
  }

  // ---- how it goes

  /** All of them, sorted by name. */
  List<RolloutProgress> progress() {
    return picture.rollouts().all().stream().map(this::progress).toList();
  }

  private RolloutProgress progress(Stored stored) {
    RolloutRecord record = stored.record();
    Rollout rollout = record.rollout();
    List<OfUnit> units =
        units(record, (_, _) -> Duration.ZERO).stream().map(unit -> ofUnit(rollout, unit)).toList();
    return new RolloutProgress(rollout, units);
  }

  private static OfUnit ofUnit(Rollout rollout, RolloutUnit unit) {
    Content aim = isForward(rollout) ? Content.NEW : Content.BEFORE;
    Standing standing =
        unit.content() == Content.ANOTHER
            ? Standing.KEPT
            : unit.content() == aim ? changed(aim, unit) : Standing.WAITS;
    return new OfUnit(unit.name(), standing, unit.condition().how());
  }

  private static boolean isForward(Rollout rollout) {
    return rollout.stage() == Stage.FORWARD || rollout.stage() == Stage.DONE;
  }

  private static Standing changed(Content aim, RolloutUnit unit) {
    return switch (unit.condition()) {
      case Condition.Idle _ -> Standing.DONE;
      case Condition.Bad _ -> Standing.FAILED;
      case Condition.Coming _, Condition.NoPlace _ -> Standing.COMING;
      case Condition.Up _ ->
          unit.proven() || aim == Content.BEFORE ? Standing.DONE : Standing.PROVING;
    };
  }
}
