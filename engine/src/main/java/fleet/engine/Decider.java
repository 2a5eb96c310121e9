package fleet.engine;

import fleet.core.machine.Machine;
import fleet.core.schedule.Target;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.Next;
import fleet.engine.decide.Situation;
import fleet.engine.decide.UnitReconciliation;
import fleet.engine.decide.Writes;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.KnownUnit;
import fleet.engine.picture.Placed;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.scheduler.Decision;
import fleet.scheduler.Obstacle;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Turns what was touched into decisions: what must change, where it goes, and the writes that do
 * it. Owned by the engine's event thread.
 */
final class Decider {

  /**
   * A placement is two writes and may come with two deletions; etcd takes 128 in one transaction.
   */
  private static final int UNITS_AT_ONCE = 30;

  private final ClusterPicture picture;
  private final Views views;
  private final Clock clock;
  private final Room room;
  private final LinkedHashSet<UnitName> dirty = new LinkedHashSet<>();
  private final Set<UnitName> again = new HashSet<>();
  private final Set<String> lost = new HashSet<>();

  Decider(ClusterPicture picture, Views views, Clock clock) {
    this.picture = picture;
    this.views = views;
    this.clock = clock;
    this.room = new Room(picture);
  }

  // ---- what was touched

  void touch(UnitName unit) {
    dirty.add(unit);
  }

  void touchAll() {
    picture.units().forEach(known -> touch(known.unit().name()));
    picture.schedule().forEach(placed -> touch(placed.entry().unit()));
    picture.globals().forEach(this::touch);
  }

  /** An entry came or went: who waits for room, or must be with that unit, is looked at again. */
  void scheduleChanged(UnitName unit) {
    room.follow(unit);
    dirty.addAll(views.waiting());
    dirty.addAll(room.followers(unit));
  }

  void globalChanged(UnitName unit) {
    room.followGlobal(unit);
    picture.schedule().forEach(placed -> touch(placed.entry().unit()));
    dirty.addAll(views.waiting());
  }

  void machineChanged(Machine machine) {
    lost.remove(machine.id());
    room.machine(machine);
    touchUnitsOf(machine.id());
    dirty.addAll(views.waiting());
  }

  /** A machine is silent; its units stay its own until it counts as lost. */
  void machineGone(String machine) {
    room.machineGone(machine);
    dirty.addAll(views.waiting());
  }

  /** A machine was silent for too long: its units run elsewhere from now on. */
  void machineLost(String machine) {
    lost.add(machine);
    touchUnitsOf(machine);
  }

  private void touchUnitsOf(String machine) {
    for (Placed placed : picture.schedule()) {
      if (placed.machine().equals(machine)) {
        touch(placed.entry().unit());
      }
    }
  }

  /** Takes back what the last decisions assumed, since they were not written. */
  void undo() {
    room.followAll();
  }

  // ---- decisions

  /** Whether units are left that the last batch had no room for. */
  boolean hasMore() {
    return !dirty.isEmpty();
  }

  Decisions decide() {
    var decisions = new Decisions(new Writes(), new ArrayList<>(), new ArrayList<>());
    while (!dirty.isEmpty() && decisions.considered().size() < UNITS_AT_ONCE) {
      UnitName unit = dirty.removeFirst();
      decisions.considered().add(unit);
      decide(unit, decisions);
    }
    dirty.addAll(again);
    again.clear();
    return decisions;
  }

  private void decide(UnitName unit, Decisions decisions) {
    views.waitsNoLonger(unit);
    Optional<KnownUnit> known = picture.unit(unit);
    boolean global = known.filter(found -> found.requirements().global()).isPresent();
    decideGlobal(unit, global ? known : Optional.empty(), decisions);
    Optional<KnownUnit> single = global ? Optional.empty() : known;
    Situation situation = situation(unit, single);
    switch (UnitReconciliation.next(situation)) {
      case Next.None _ -> {}
      case Next.Choose _ -> choose(single.orElseThrow(), decisions);
      case Next.Retarget retarget -> {
        Placed placed = situation.placed().orElseThrow();
        putSchedule(
            placed.machine(),
            unit,
            placed
                .record()
                .withTarget(retarget.target())
                .withRestartCounter(retarget.restartCounter()),
            decisions);
      }
      case Next.BeginStopping stopping ->
          beginStopping(situation.placed().orElseThrow(), stopping.why(), decisions);
      case Next.Clear clear -> {
        clear(situation.placed().orElseThrow(), clear.why(), decisions);
        single.filter(KnownUnit::wantsPlace).ifPresent(freed -> choose(freed, decisions));
      }
    }
  }

  private Situation situation(UnitName unit, Optional<KnownUnit> known) {
    Optional<Placed> placed = picture.placed(unit);
    return new Situation(
        known,
        placed,
        placed.filter(picture::isGone).isPresent(),
        placed.filter(entry -> lost.contains(entry.machine())).isPresent(),
        placed.isPresent() && known.isPresent()
            ? room.unfit(known.get(), placed.get().machine())
            : Optional.empty());
  }

  private void decideGlobal(UnitName unit, Optional<KnownUnit> known, Decisions decisions) {
    Optional<KnownUnit> wanted = known.filter(KnownUnit::wantsPlace);
    if (wanted.isEmpty()) {
      if (picture.globals().contains(unit)) {
        decisions.writes().delete(Keys.global(unit));
        decisions.messages().add(unit + " is taken from all machines");
      }
      return;
    }
    ScheduleRecord record = record(wanted.get());
    if (!picture.globalRecord(unit).equals(Optional.of(record))) {
      decisions.writes().put(Keys.global(unit), record.json());
      decisions
          .messages()
          .add(unit + " is to be " + record.target().text() + " on every machine that fits");
    }
  }

  private void choose(KnownUnit known, Decisions decisions) {
    UnitName unit = known.unit().name();
    Optional<String> elsewhere = stillRunning(known);
    if (elsewhere.isPresent()) {
      views.waits(unit, new Views.Waiting(elsewhere.get(), false));
      return;
    }
    switch (room.choose(known)) {
      case Decision.Placed placed -> {
        place(known, placed.machine(), placed.text(), decisions);
        placed.displaced().forEach(moved -> displace(moved, unit, decisions));
      }
      case Decision.Unplaceable unplaceable ->
          views.waits(unit, new Views.Waiting(unplaceable.text(), isRefused(unplaceable)));
    }
  }

  /**
   * One that this batch has decided on already is looked at again with the next, since what the
   * picture shows of it is out of date.
   */
  private void displace(UnitName moved, UnitName by, Decisions decisions) {
    if (decisions.considered().contains(moved)) {
      again.add(moved);
      return;
    }
    dirty.remove(moved);
    decisions.considered().add(moved);
    picture
        .placed(moved)
        .filter(placed -> placed.record().target() != Target.STOPPING)
        .ifPresent(placed -> beginStopping(placed, by + " replaces it there", decisions));
  }

  /** Whether nothing but foreign units of the same name are in the way. */
  private static boolean isRefused(Decision.Unplaceable decision) {
    return !decision.obstacles().isEmpty()
        && decision.obstacles().stream().allMatch(Obstacle::isForeignName);
  }

  /** A machine that still has an earlier content of the unit must be rid of it first. */
  private Optional<String> stillRunning(KnownUnit known) {
    for (UnitState state : picture.states(known.unit().name()).values()) {
      if (!state.incarnation().equals(known.unit().incarnation())) {
        return Optional.of("its earlier content is being stopped on machine " + state.machine());
      }
    }
    return Optional.empty();
  }

  private void place(KnownUnit known, String machine, String reason, Decisions decisions) {
    UnitName unit = known.unit().name();
    decisions
        .writes()
        .put(
            Keys.placement(unit),
            new PlacementRecord(machine, known.unit().incarnation(), clock.instant(), reason)
                .json());
    putSchedule(machine, unit, record(known), decisions);
    room.assume(known, machine);
    decisions.messages().add("placed " + unit + " on machine " + machine + ": " + reason);
  }

  private static ScheduleRecord record(KnownUnit known) {
    return new ScheduleRecord(
        known.unit().incarnation(),
        known.sha256(),
        known.unit().file().hash(),
        known.target(),
        known.unit().restartCounter());
  }

  private static void putSchedule(
      String machine, UnitName unit, ScheduleRecord record, Decisions decisions) {
    decisions.writes().put(Keys.schedule(machine, unit), record.json());
  }

  private void beginStopping(Placed placed, String why, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    putSchedule(placed.machine(), unit, placed.record().withTarget(Target.STOPPING), decisions);
    room.assumeLeaving(unit);
    decisions.messages().add("taking " + unit + " from machine " + placed.machine() + ": " + why);
  }

  private void clear(Placed placed, String why, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    decisions.writes().delete(Keys.placement(unit));
    decisions.writes().delete(Keys.schedule(placed.machine(), unit));
    room.assumeGone(unit);
    decisions.messages().add(unit + " has left machine " + placed.machine() + ": " + why);
  }
}
