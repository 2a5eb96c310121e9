package fleet.engine;

import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.DecisionWrites;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.records.Keys;
import fleet.scheduler.Decision;
import fleet.scheduler.Obstacle;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Explains why units have no place, and queues them again once that may have changed. The leader
 * uses it while it decides; a fleetd that does not lead only explains. Owned by the state thread.
 */
final class WaitExplainer {

  private static final Logger log = LoggerFactory.getLogger(WaitExplainer.class);

  private final ClusterState cluster;
  private final MissingMachines missing;
  private final UnitViews views;
  private final WorkQueue queue;
  private final SchedulerState schedulerState;
  private final OpenOffers offers;

  WaitExplainer(LiveState state) {
    this.cluster = state.cluster();
    this.missing = state.missing();
    this.views = state.views();
    this.queue = state.queue();
    this.schedulerState = state.schedulerState();
    this.offers = state.offers();
  }

  /**
   * Explains why touched units have no place, and decides nothing.
   *
   * @param explained told of each unit that was looked at
   */
  void explain(boolean led, Consumer<UnitName> explained) {
    for (Optional<UnitName> unit = queue.next(); unit.isPresent(); unit = queue.next()) {
      try {
        explain(unit.get(), led);
      } catch (RuntimeException e) {
        log.warn("cannot explain {}: {}", unit.get(), e, e);
        failed(unit.get(), e);
      }
      explained.accept(unit.get());
    }
  }

  private void explain(UnitName unit, boolean led) {
    waitsNoLonger(unit);
    Optional<String> fault = cluster.fault(unit);
    Optional<KnownUnit> known =
        cluster
            .units()
            .of(unit)
            .filter(found -> found.wantsPlace() && !found.requirements().global());
    if (fault.isPresent()) {
      fault(unit, fault.get());
    } else if (known.isPresent()) {
      explain(known.get(), led);
    }
  }

  private void explain(KnownUnit known, boolean led) {
    UnitName unit = known.unit().name();
    Optional<String> kept =
        cluster.schedule().of(unit).flatMap(placed -> missing.whyKept(placed.machine()));
    if (kept.isPresent()) {
      views.waits(unit, UnitViews.Waiting.kept(kept.get()));
      return;
    }
    Optional<String> without =
        cluster
            .schedule()
            .of(unit)
            .map(placed ->
                cluster.isThere(placed.machine())
                    ? ""
                    : "machine " + placed.machine() + " is lost, and ");
    if (without.filter(String::isEmpty).isPresent()) {
      return;
    }
    Optional<String> notYet = notYet(known, new DecisionWrites());
    if (notYet.isPresent()) {
      fault(unit, notYet.get());
      return;
    }
    switch (schedulerState.choose(known)) {
      case Decision.Placed _ -> {
        if (!led) {
          fault(unit, "no engine leads the cluster");
        }
      }
      case Decision.Unplaceable unplaceable ->
          waits(
              known, unplaceable, without.orElse("") + unplaceable.text(), isRefused(unplaceable));
    }
  }

  // ---- reasons

  /** Nothing can be decided about a unit, because of a fault. */
  void fault(UnitName unit, String why) {
    views.waits(unit, new UnitViews.Waiting(why, false));
  }

  void failed(UnitName unit, RuntimeException e) {
    fault(unit, "fleetd fails to decide about it, as its journal says: " + e);
  }

  /** A unit that stays with an absent machine has no usable place. */
  void absence(Optional<ScheduledUnit> placedOn) {
    placedOn.ifPresent(placed ->
        missing
            .whyKept(placed.machine())
            .ifPresent(why -> views.waits(placed.entry().unit(), UnitViews.Waiting.kept(why))));
  }

  void waits(KnownUnit known, Decision.Unplaceable decision, String why, boolean refused) {
    UnitName unit = known.unit().name();
    Set<String> onUnits = new HashSet<>(decision.unitsInTheWay());
    onUnits.addAll(known.requirements().machineOf());
    queue.waits(unit, onUnits, decision.waitsForRoom());
    offers.ask(known, decision.mayBid());
    views.waits(unit, new UnitViews.Waiting(why, refused));
  }

  void waitsNoLonger(UnitName unit) {
    queue.waitsNoLonger(unit);
    views.waitsNoLonger(unit);
  }

  /** Whether nothing but foreign units of the same name are in the way. */
  static boolean isRefused(Decision.Unplaceable decision) {
    return !decision.obstacles().isEmpty()
        && decision.obstacles().stream().allMatch(Obstacle::isForeignName);
  }

  /**
   * The reason why a unit may not be placed yet, even if there is room.
   *
   * @param decided writes of entries that follow from decisions made already
   */
  Optional<String> notYet(KnownUnit known, DecisionWrites decided) {
    return stillRunning(known).or(() -> placedUnseen(known.unit().name(), decided));
  }

  /** A machine that still has an earlier content of the unit must remove it first. */
  private Optional<String> stillRunning(KnownUnit known) {
    for (UnitState state : cluster.reports().states(known.unit().name()).values()) {
      if (!state.incarnation().equals(known.unit().incarnation())) {
        return Optional.of("its earlier content is being stopped on machine " + state.machine());
      }
    }
    return Optional.empty();
  }

  /** Somebody deleted the entry and left the placement: it is unknown what runs there. */
  private Optional<String> placedUnseen(UnitName unit, DecisionWrites decided) {
    return cluster
        .schedule()
        .placement(unit)
        .filter(_ -> cluster.schedule().of(unit).isEmpty())
        .filter(_ -> !decided.units().contains(unit))
        .map(placement ->
            "key %s of the registry says that machine %s has it, but key %s is missing: once it runs"
                    .formatted(
                        Keys.placement(unit),
                        placement.machine(),
                        Keys.schedule(placement.machine(), unit))
                + " nowhere, delete the former");
  }
}
