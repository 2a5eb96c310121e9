package fleet.engine;

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
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Turns what was touched into decisions: what must change, where it goes, and the writes that do
 * it, each on condition that what it goes by is still so. Owned by the picture's event loop.
 */
final class Decider {

  /**
   * A unit may come to three conditions and three writes; etcd takes 128 of each in a transaction.
   */
  private static final int UNITS_WRITTEN_AT_ONCE = 30;

  private static final int UNITS_CONSIDERED_AT_ONCE = 300;

  private final ClusterPicture picture;
  private final Views views;
  private final Agenda agenda;
  private final Room room;
  private final Clock clock;
  private final Set<UnitName> again = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private int writtenAtOnce = UNITS_WRITTEN_AT_ONCE;

  Decider(ClusterPicture picture, Views views, Agenda agenda, Room room, Clock clock) {
    this.picture = picture;
    this.views = views;
    this.agenda = agenda;
    this.room = room;
    this.clock = clock;
  }

  // ---- machines

  /** A machine is there: its units are its own again. */
  void machineFound(String machine) {
    lost.remove(machine);
  }

  /** From now on a machine's units run elsewhere. */
  void machineLost(String machine) {
    lost.add(machine);
    agenda.touchUnitsOf(machine);
  }

  boolean isLost(String machine) {
    return lost.contains(machine);
  }

  // ---- what became of decisions

  /** What was decided last is written. */
  void written() {
    writtenAtOnce = Math.min(UNITS_WRITTEN_AT_ONCE, 2 * writtenAtOnce);
  }

  /** Takes back what the last decisions assumed, since they were not written. */
  void undo(Decisions decisions) {
    decisions.considered().forEach(room::follow);
    decisions.considered().forEach(agenda::touch);
  }

  /** From now on fewer at once, to find out what is in the way of the others. */
  void halve(Decisions decisions) {
    writtenAtOnce = Math.max(1, decisions.writes().units().size() / 2);
  }

  // ---- decisions

  Decisions decide() {
    var decisions = Decisions.none();
    Optional<UnitName> alone = agenda.nextAlone();
    if (alone.isPresent()) {
      consider(alone.get(), decisions);
    }
    while (alone.isEmpty() && hasRoom(decisions)) {
      Optional<UnitName> unit = agenda.next();
      if (unit.isEmpty()) {
        break;
      }
      consider(unit.get(), decisions);
    }
    again.forEach(agenda::touch);
    again.clear();
    return decisions;
  }

  private boolean hasRoom(Decisions decisions) {
    return decisions.considered().size() < UNITS_CONSIDERED_AT_ONCE
        && decisions.writes().units().size() < writtenAtOnce;
  }

  private void consider(UnitName unit, Decisions decisions) {
    decisions.considered().add(unit);
    waitsNoLonger(unit);
    Optional<String> fault = picture.fault(unit);
    if (fault.isPresent()) {
      views.waits(unit, new Views.Waiting(fault.get(), false));
    } else {
      decide(unit, decisions);
    }
  }

  private void decide(UnitName unit, Decisions decisions) {
    Optional<KnownUnit> known = picture.unit(unit);
    boolean global = known.filter(found -> found.requirements().global()).isPresent();
    decideGlobal(unit, global ? known : Optional.empty(), decisions);
    Optional<KnownUnit> single = global ? Optional.empty() : known;
    Situation situation = situation(unit, single);
    switch (UnitReconciliation.next(situation)) {
      case Next.None _ -> {}
      case Next.Choose _ -> choose(single.orElseThrow(), decisions);
      case Next.Retarget retarget ->
          retarget(situation.placed().orElseThrow(), retarget, decisions);
      case Next.BeginStopping stopping ->
          beginStopping(situation.placed().orElseThrow(), stopping.why(), decisions);
      case Next.Clear clear -> {
        clear(situation, clear.why(), decisions);
        single.filter(KnownUnit::wantsPlace).ifPresent(freed -> choose(freed, decisions));
      }
      case Next.Relocate relocate -> relocate(situation, relocate.why(), decisions);
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
    Optional<ScheduleRecord> before = picture.globalRecord(unit);
    Optional<ScheduleRecord> now = wanted.map(Decider::record);
    if (before.equals(now)) {
      return;
    }
    Writes writes = decisions.writes();
    writes.require(unit, Keys.global(unit), picture.globalRevision(unit));
    if (now.isEmpty()) {
      writes.delete(unit, Keys.global(unit));
      decisions.messages().add(unit + " is taken from all machines");
    } else {
      writes.put(unit, Keys.global(unit), now.get().json());
      decisions
          .messages()
          .add(unit + " is to be " + now.get().target().text() + " on every machine that fits");
    }
  }

  private void choose(KnownUnit known, Decisions decisions) {
    UnitName unit = known.unit().name();
    Optional<String> notYet = stillRunning(known).or(() -> placedUnseen(unit, decisions));
    if (notYet.isPresent()) {
      views.waits(unit, new Views.Waiting(notYet.get(), false));
      return;
    }
    switch (room.choose(known)) {
      case Decision.Placed placed -> place(known, placed, decisions);
      case Decision.Unplaceable unplaceable ->
          waits(known, unplaceable, unplaceable.text(), isRefused(unplaceable));
    }
  }

  private void relocate(Situation situation, String why, Decisions decisions) {
    KnownUnit known = situation.known().orElseThrow();
    switch (room.choose(known)) {
      case Decision.Placed placed -> {
        clear(situation, why, decisions);
        place(known, placed, decisions);
      }
      case Decision.Unplaceable unplaceable ->
          waits(known, unplaceable, why + ", and " + unplaceable.text(), false);
    }
  }

  private void waits(KnownUnit known, Decision.Unplaceable decision, String why, boolean refused) {
    UnitName unit = known.unit().name();
    Set<String> onUnits = new HashSet<>(decision.unitsInTheWay());
    onUnits.addAll(known.requirements().machineOf());
    agenda.waits(unit, onUnits);
    views.waits(unit, new Views.Waiting(why, refused));
  }

  private void waitsNoLonger(UnitName unit) {
    agenda.waitsNoLonger(unit);
    views.waitsNoLonger(unit);
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

  /** Somebody took the entry away and left the placement: nobody knows what runs there. */
  private Optional<String> placedUnseen(UnitName unit, Decisions decisions) {
    return picture
        .placement(unit)
        .filter(_ -> picture.placed(unit).isEmpty())
        .filter(_ -> !decisions.writes().units().contains(unit))
        .map(placement ->
            "key %s of the registry says that machine %s has it, but key %s is missing: once it runs"
                    .formatted(
                        Keys.placement(unit),
                        placement.machine(),
                        Keys.schedule(placement.machine(), unit))
                + " nowhere, delete the former");
  }

  // ---- explanations

  /** Says of all that was touched why it has no place, and decides nothing. */
  void explain(boolean led) {
    for (Optional<UnitName> unit = agenda.next(); unit.isPresent(); unit = agenda.next()) {
      explain(unit.get(), led);
    }
  }

  private void explain(UnitName unit, boolean led) {
    waitsNoLonger(unit);
    Optional<String> fault = picture.fault(unit);
    Optional<KnownUnit> known =
        picture.unit(unit).filter(found -> found.wantsPlace() && !found.requirements().global());
    if (fault.isPresent()) {
      views.waits(unit, new Views.Waiting(fault.get(), false));
    } else if (known.isPresent()) {
      explain(known.get(), led);
    }
  }

  private void explain(KnownUnit known, boolean led) {
    UnitName unit = known.unit().name();
    Optional<String> without =
        picture
            .placed(unit)
            .map(placed ->
                picture.isThere(placed.machine())
                    ? ""
                    : "machine " + placed.machine() + " is lost, and ");
    if (without.filter(String::isEmpty).isPresent()) {
      return;
    }
    Optional<String> notYet = stillRunning(known).or(() -> placedUnseen(unit, Decisions.none()));
    if (notYet.isPresent()) {
      views.waits(unit, new Views.Waiting(notYet.get(), false));
      return;
    }
    switch (room.choose(known)) {
      case Decision.Placed _ -> {
        if (!led) {
          views.waits(unit, new Views.Waiting("no engine leads the cluster", false));
        }
      }
      case Decision.Unplaceable unplaceable ->
          waits(
              known, unplaceable, without.orElse("") + unplaceable.text(), isRefused(unplaceable));
    }
  }

  // ---- what is written

  private void place(KnownUnit known, Decision.Placed placed, Decisions decisions) {
    UnitName unit = known.unit().name();
    String machine = placed.machine();
    Writes writes = decisions.writes();
    Optional<ClusterPicture.Placement> before = picture.placement(unit);
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
    room.assume(known, machine);
    decisions.messages().add("placed " + unit + " on machine " + machine + ": " + placed.text());
    placed.displaced().forEach(displaced -> touch(displaced, decisions));
  }

  /**
   * One that this batch has decided on already is looked at again with the next, since what the
   * picture shows of it is out of date.
   */
  private void touch(UnitName unit, Decisions decisions) {
    if (decisions.considered().contains(unit)) {
      again.add(unit);
    } else {
      agenda.touch(unit);
    }
  }

  private static ScheduleRecord record(KnownUnit known) {
    return new ScheduleRecord(
        known.unit().incarnation(),
        known.sha256(),
        known.unit().file().hash(),
        known.target(),
        known.unit().restartCounter());
  }

  private static void change(Placed placed, ScheduleRecord record, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    String key = Keys.schedule(placed.machine(), unit);
    decisions.writes().require(unit, key, OptionalLong.of(placed.entry().revision()));
    decisions.writes().put(unit, key, record.json());
  }

  private static void retarget(Placed placed, Next.Retarget to, Decisions decisions) {
    change(
        placed,
        placed.record().withTarget(to.target()).withRestartCounter(to.restartCounter()),
        decisions);
  }

  private void beginStopping(Placed placed, String why, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    change(placed, placed.record().withTarget(Target.STOPPING), decisions);
    room.assumeLeaving(unit);
    decisions.messages().add("taking " + unit + " from machine " + placed.machine() + ": " + why);
  }

  /** Holds only where the machine is still lost, or has not said anything else since. */
  private void clear(Situation situation, String why, Decisions decisions) {
    Placed placed = situation.placed().orElseThrow();
    UnitName unit = placed.entry().unit();
    String machine = placed.machine();
    String key = Keys.schedule(machine, unit);
    Writes writes = decisions.writes();
    writes.require(unit, key, OptionalLong.of(placed.entry().revision()));
    if (situation.lost()) {
      writes.require(unit, Keys.machine(machine), OptionalLong.empty());
    } else {
      writes.require(unit, Keys.state(machine, unit), picture.reportRevision(machine, unit));
    }
    writes.delete(unit, Keys.placement(unit));
    writes.delete(unit, key);
    room.assumeGone(unit);
    decisions.messages().add(unit + " has left machine " + machine + ": " + why);
  }
}
