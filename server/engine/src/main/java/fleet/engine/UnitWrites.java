package fleet.engine;

import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.DecisionWrites;
import fleet.engine.decide.NextStep;
import fleet.engine.decide.UnitSituation;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.engine.state.StoredSchedule;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.scheduler.Decision;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The writes that carry out decisions about units, each with the conditions under which it holds,
 * and with the reservations that the scheduler makes until the outcome is known. Owned by the state
 * thread.
 */
final class UnitWrites {

  private final ClusterState cluster;
  private final SchedulerState schedulerState;
  private final Clock clock;

  UnitWrites(ClusterState cluster, SchedulerState schedulerState, Clock clock) {
    this.cluster = cluster;
    this.schedulerState = schedulerState;
    this.clock = clock;
  }

  /** A machine that reads the store would start a unit that was just destroyed. */
  static void requireAsKnown(KnownUnit known, Decisions decisions) {
    UnitName unit = known.unit().name();
    decisions.writes().require(unit, Keys.unit(unit), OptionalLong.of(known.stored().revision()));
  }

  /** The machine still has the entry that was decided on. */
  static void requireEntry(ScheduledUnit placed, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    decisions
        .writes()
        .require(
            unit,
            Keys.schedule(placed.machine(), unit),
            OptionalLong.of(placed.entry().revision()));
  }

  void place(KnownUnit known, Decision.Placed placed, Decisions decisions) {
    UnitName unit = known.unit().name();
    String machine = placed.machine();
    DecisionWrites writes = decisions.writes();
    requireAsKnown(known, decisions);
    Optional<StoredSchedule.Placement> before = cluster.schedule().placement(unit);
    writes.require(
        unit,
        Keys.placement(unit),
        before.isPresent() ? OptionalLong.of(before.get().revision()) : OptionalLong.empty());
    writes.put(
        unit,
        Keys.placement(unit),
        new PlacementRecord(machine, known.unit().incarnation(), clock.instant(), placed.text())
            .json());
    writes.put(unit, Keys.schedule(machine, unit), record(known).json());
    schedulerState.assume(known, machine);
    decisions.placements().add("placed " + unit + " on machine " + machine + ": " + placed.text());
  }

  static ScheduleRecord record(KnownUnit known) {
    return new ScheduleRecord(
            known.unit().incarnation(),
            known.sha256(),
            known.unit().file().hash(),
            known.target(),
            known.unit().restartCounter())
        .withRequire(known.unit().require());
  }

  static void change(ScheduledUnit placed, ScheduleRecord record, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    requireEntry(placed, decisions);
    decisions.writes().put(unit, Keys.schedule(placed.machine(), unit), record.json());
  }

  static void retarget(ScheduledUnit placed, NextStep.Retarget to, Decisions decisions) {
    change(
        placed,
        placed.record().withTarget(to.target()).withRestartCounter(to.restartCounter()),
        decisions);
  }

  /**
   * A lost machine that comes back must not start the unit again, so its entry changes in the same
   * transaction. A machine that reported the unit as gone was told to stop it: its entry goes next.
   */
  static void noteEnd(UnitSituation situation, String why, Decisions decisions) {
    KnownUnit known = situation.known().orElseThrow();
    ScheduledUnit placed = situation.placed().orElseThrow();
    UnitName unit = known.unit().name();
    requireAsKnown(known, decisions);
    decisions.writes().put(unit, Keys.unit(unit), known.record().asEnded().json());
    if (placed.record().target() == TargetState.LAUNCHED) {
      change(placed, placed.record().withTarget(TargetState.LOADED), decisions);
    }
    decisions.messages().add(unit + " has ended and is not started elsewhere: " + why);
  }

  void beginStopping(UnitSituation situation, String why, Decisions decisions) {
    ScheduledUnit placed = situation.placed().orElseThrow();
    UnitName unit = placed.entry().unit();
    change(placed, placed.record().stopping(why), decisions);
    schedulerState.assumeLeaving(unit);
    if (situation.unfit().filter(why::equals).isPresent()) {
      decisions.tally().took(MoveCause.UNFIT);
    } else {
      decisions.tally().took();
    }
    decisions.messages().add("taking " + unit + " from machine " + placed.machine() + ": " + why);
  }

  /** Holds only if the machine is still lost, or has not reported anything else since. */
  void clear(UnitSituation situation, String why, Decisions decisions) {
    ScheduledUnit placed = situation.placed().orElseThrow();
    UnitName unit = placed.entry().unit();
    String machine = placed.machine();
    String key = Keys.schedule(machine, unit);
    DecisionWrites writes = decisions.writes();
    writes.require(unit, key, OptionalLong.of(placed.entry().revision()));
    if (situation.lost()) {
      decisions.tally().took(MoveCause.LOST);
      writes.require(unit, Keys.machine(machine), OptionalLong.empty());
    } else {
      writes.require(unit, Keys.state(machine, unit), cluster.reports().revision(machine, unit));
    }
    writes.delete(unit, Keys.placement(unit));
    writes.delete(unit, key);
    schedulerState.assumeGone(unit);
    decisions.messages().add(unit + " has left machine " + machine + ": " + why);
  }

  /** Writes the entry for all machines; deletes it if the unit is not to be on all of them. */
  void global(UnitName unit, Optional<KnownUnit> known, Decisions decisions) {
    Optional<KnownUnit> wanted = known.filter(KnownUnit::wantsPlace);
    Optional<ScheduleRecord> before = cluster.schedule().globalRecord(unit);
    Optional<ScheduleRecord> now =
        wanted.map(global ->
            record(global)
                .withOvercommit(schedulerState.overcommit())
                .withUpdate(cluster.operations().update(global)));
    if (before.equals(now)) {
      return;
    }
    DecisionWrites writes = decisions.writes();
    writes.require(unit, Keys.global(unit), cluster.schedule().globalRevision(unit));
    if (now.isEmpty()) {
      writes.delete(unit, Keys.global(unit));
      decisions.messages().add(unit + " is taken from all machines");
    } else {
      writes.put(unit, Keys.global(unit), now.get().json());
      wanted.ifPresent(schedulerState::assumeGlobal);
      decisions
          .messages()
          .add(unit + ": " + now.get().target().text() + " on every machine that fits");
    }
  }
}
