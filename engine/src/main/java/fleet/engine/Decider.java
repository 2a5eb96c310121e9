package fleet.engine;

import fleet.core.machine.Drain;
import fleet.core.schedule.Target;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.engine.decide.Next;
import fleet.engine.decide.Situation;
import fleet.engine.decide.UnitReconciliation;
import fleet.engine.decide.Writes;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.Placed;
import fleet.engine.state.StoredSchedule;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import fleet.scheduler.Decision;
import fleet.scheduler.Obstacle;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what was touched into decisions: what must change, where it goes, and the writes that do
 * it, each on condition that what it goes by is still so. Owned by the state's event loop.
 */
final class Decider {

  private static final Logger log = LoggerFactory.getLogger(Decider.class);

  /**
   * A unit may come to four conditions and four writes; etcd takes 128 of each in a transaction.
   */
  private static final int UNITS_WRITTEN_AT_ONCE = 30;

  private static final int UNITS_CONSIDERED_AT_ONCE = 300;

  /** Each in a transaction of its own; a registry that can sends them together. */
  private static final int BATCHES_AT_ONCE = 8;

  private final ClusterState cluster;
  private final MissingMachines missing;
  private final Views views;
  private final WorkQueue queue;
  private final SchedulerState schedulerState;
  private final Offers offers;
  private final Drains drains;
  private final Rebalances rebalances;
  private final Companions companions;
  private final Clock clock;
  private final Set<UnitName> considered = new HashSet<>();
  private final Set<UnitName> again = new HashSet<>();

  /** Those of which earlier batches of this turn decide. */
  private final Set<String> earlier = new HashSet<>();

  /** Units that are looked at first once the batches of this turn are written. */
  private final List<UnitName> putOff = new ArrayList<>();

  private final Set<UnitName> failed = new LinkedHashSet<>();
  private boolean gaveRoom;
  private int writtenAtOnce = UNITS_WRITTEN_AT_ONCE;

  Decider(
      ClusterState cluster,
      MissingMachines missing,
      Views views,
      WorkQueue queue,
      SchedulerState schedulerState,
      Offers offers,
      Clock clock) {
    this.cluster = cluster;
    this.missing = missing;
    this.views = views;
    this.queue = queue;
    this.schedulerState = schedulerState;
    this.offers = offers;
    this.drains = new Drains(cluster, views, schedulerState);
    this.rebalances = new Rebalances(cluster, views, schedulerState);
    this.companions = new Companions(cluster);
    this.clock = clock;
  }

  // ---- what became of decisions

  /** All that was decided last is written. */
  void written() {
    writtenAtOnce = Math.min(UNITS_WRITTEN_AT_ONCE, 2 * writtenAtOnce);
  }

  /** Takes back what decisions assumed, since they were not written. */
  void undo(Decisions decisions) {
    decisions.considered().forEach(queue::undone);
  }

  /** From now on fewer at once, to find out what is in the way of the others. */
  void halve(Decisions decisions) {
    writtenAtOnce = Math.max(1, decisions.writes().units().size() / 2);
  }

  // ---- decisions

  /**
   * Decides on what was touched, or on some of it. The batches may be written in any order, each or
   * none of them: no two write of one unit, none takes room that another gives, none places a unit
   * with a peer that another moves, and none takes a unit away for one that another places. What
   * would is put off until the other is written.
   *
   * <p>If the decision about a unit throws, its batch is dropped, and decided again without it.
   */
  List<Decisions> decide() {
    try {
      Optional<UnitName> alone = queue.nextAlone();
      return alone.isPresent() ? List.of(alone(alone.get())) : batches();
    } finally {
      endTurn();
    }
  }

  private Decisions alone(UnitName unit) {
    var decisions = Decisions.none();
    return consider(unit, decisions) ? decisions : Decisions.none();
  }

  private List<Decisions> batches() {
    List<Decisions> batches = new ArrayList<>();
    // Where something could not be written, one batch at a time finds out what it was.
    int most = writtenAtOnce == UNITS_WRITTEN_AT_ONCE ? BATCHES_AT_ONCE : 1;
    int failedBefore = failed.size();
    while (batches.size() < most
        && considered.size() < UNITS_CONSIDERED_AT_ONCE
        && !queue.isEmpty()
        && !gaveRoom
        && failed.size() == failedBefore) {
      Decisions batch = batch();
      batches.add(batch);
      batch.writes().units().forEach(unit -> earlier.add(unit.value()));
    }
    return batches;
  }

  private void endTurn() {
    considered.clear();
    earlier.clear();
    gaveRoom = false;
    again.forEach(queue::touch);
    again.clear();
    queue.touchFirst(putOff);
    putOff.clear();
  }

  private Decisions batch() {
    var decisions = Decisions.none();
    while (considered.size() < UNITS_CONSIDERED_AT_ONCE
        && decisions.writes().unitCount() < writtenAtOnce) {
      Optional<UnitName> unit = queue.next();
      if (unit.isEmpty()) {
        break;
      }
      List<UnitName> group = companions.of(unit.get(), writtenAtOnce, this::isUndecided);
      if (!decisions.writes().isEmpty()
          && decisions.writes().unitCount() + group.size() > writtenAtOnce) {
        // The next batch has room for all of them.
        queue.touchFirst(List.of(unit.get()));
        break;
      }
      if (!considerAll(group, decisions)) {
        return Decisions.none();
      }
    }
    return decisions;
  }

  private boolean isUndecided(UnitName unit) {
    return queue.isTouched(unit) && !considered.contains(unit);
  }

  private boolean considerAll(List<UnitName> group, Decisions decisions) {
    for (UnitName unit : group) {
      queue.take(unit);
      if (!consider(unit, decisions)) {
        return false;
      }
    }
    return true;
  }

  /** Returns false if that threw: then none of these decisions may be written. */
  private boolean consider(UnitName unit, Decisions decisions) {
    considered.add(unit);
    try {
      look(unit, decisions);
      return true;
    } catch (RuntimeException e) {
      // The writes, and what the room assumes, may have only a part of what the unit needs.
      failed(unit, e);
      undo(decisions);
      return false;
    }
  }

  private void failed(UnitName unit, RuntimeException e) {
    log.error("cannot decide about {}, trying again later: {}", unit, e, e);
    failed.add(unit);
    queue.setAside(unit);
    views.waits(unit, new Views.Waiting(failure(e), false));
  }

  private static String failure(RuntimeException e) {
    return "fleetd fails to decide about it, as its journal says: " + e;
  }

  /** Hands out, once, the units about which nothing could be decided, and that are set aside. */
  List<UnitName> takeFailed() {
    List<UnitName> taken = List.copyOf(failed);
    failed.clear();
    return taken;
  }

  private void look(UnitName unit, Decisions decisions) {
    if (followsEarlier(unit)) {
      putOff.add(unit);
      return;
    }
    decisions.considered().add(unit);
    waitsNoLonger(unit);
    offers.looking();
    Optional<String> fault = cluster.fault(unit);
    if (fault.isPresent()) {
      views.waits(unit, new Views.Waiting(fault.get(), false));
    } else {
      decide(unit, decisions);
    }
    offers.looked(unit);
  }

  /** Whether it has to be where one is of which an earlier batch decides. */
  private boolean followsEarlier(UnitName unit) {
    return !earlier.isEmpty()
        && cluster
            .units()
            .of(unit)
            .filter(known -> known.requirements().machineOf().stream().anyMatch(earlier::contains))
            .isPresent();
  }

  private void decide(UnitName unit, Decisions decisions) {
    Optional<KnownUnit> known = cluster.units().of(unit);
    boolean global = known.filter(found -> found.requirements().global()).isPresent();
    decideGlobal(unit, global ? known : Optional.empty(), decisions);
    Optional<KnownUnit> single = global ? Optional.empty() : known;
    Situation situation = situation(unit, single);
    switch (UnitReconciliation.next(situation)) {
      case Next.None _ -> explainAbsence(situation);
      case Next.Choose _ -> choose(single.orElseThrow(), decisions);
      case Next.Retarget retarget -> {
        explainAbsence(situation);
        requireAsKnown(single.orElseThrow(), decisions);
        retarget(situation.placed().orElseThrow(), retarget, decisions);
      }
      case Next.BeginStopping stopping -> {
        if (situation.unfit().isPresent() && !earlier.isEmpty()) {
          // Perhaps only since an earlier batch places another there.
          putOff.add(unit);
        } else {
          explainAbsence(situation);
          beginStopping(situation.placed().orElseThrow(), stopping.why(), decisions);
        }
      }
      case Next.MoveAway away -> moveAway(single.orElseThrow(), situation, away.why(), decisions);
      case Next.Clear clear -> {
        clear(situation, clear.why(), decisions);
        single
            .filter(KnownUnit::wantsPlace)
            .ifPresent(freed -> choose(freed, situation.placed().orElseThrow(), decisions));
      }
      case Next.Relocate relocate -> relocate(situation, relocate.why(), decisions);
      case Next.NoteEnd end -> noteEnd(situation, end.why(), decisions);
    }
  }

  /** A unit that stays with a machine that is not there has no place that people could use. */
  private void explainAbsence(Situation situation) {
    situation
        .placed()
        .ifPresent(placed ->
            missing
                .whyKept(placed.machine())
                .ifPresent(why -> views.waits(placed.entry().unit(), Views.Waiting.kept(why))));
  }

  private Situation situation(UnitName unit, Optional<KnownUnit> known) {
    Optional<Placed> placed = cluster.schedule().of(unit);
    return new Situation(
        known,
        placed,
        placed.filter(cluster.reports()::isGone).isPresent(),
        placed.filter(entry -> missing.isLost(entry.machine())).isPresent(),
        placed.filter(this::hadEnded).isPresent(),
        placed.isPresent() && known.isPresent()
            ? schedulerState.unfit(known.get(), placed.get().machine())
            : Optional.empty(),
        placed.flatMap(entry ->
            cluster
                .machines()
                .drain(entry.machine())
                .map(drain -> why(entry, drain))
                .or(() -> rebalances.why(entry))));
  }

  private boolean hadEnded(Placed placed) {
    return cluster.reports().hasEnded(placed)
        || cluster
            .ended()
            .of(placed)
            .filter(state -> UnavailableUnits.hasEnded(placed, state))
            .isPresent();
  }

  private static String why(Placed placed, Drain drain) {
    return "machine " + placed.machine() + " is drained, as " + drain.by() + " asked";
  }

  private void decideGlobal(UnitName unit, Optional<KnownUnit> known, Decisions decisions) {
    Optional<KnownUnit> wanted = known.filter(KnownUnit::wantsPlace);
    Optional<ScheduleRecord> before = cluster.schedule().globalRecord(unit);
    Optional<ScheduleRecord> now =
        wanted.map(global -> record(global).withOvercommit(schedulerState.overcommit()));
    if (before.equals(now)) {
      return;
    }
    Writes writes = decisions.writes();
    writes.require(unit, Keys.global(unit), cluster.schedule().globalRevision(unit));
    if (now.isEmpty()) {
      writes.delete(unit, Keys.global(unit));
      decisions.messages().add(unit + " is taken from all machines");
    } else {
      writes.put(unit, Keys.global(unit), now.get().json());
      wanted.ifPresent(schedulerState::assumeGlobal);
      decisions
          .messages()
          .add(unit + " is to be " + now.get().target().text() + " on every machine that fits");
    }
  }

  private void choose(KnownUnit known, Decisions decisions) {
    offers.choosing(known.unit().name());
    choose(known, () -> schedulerState.choose(known), decisions);
  }

  /** One that has left its machine for another goes there, as people were told. */
  private void choose(KnownUnit known, Placed left, Decisions decisions) {
    String next = left.record().next();
    if (next.isEmpty()) {
      choose(known, decisions);
    } else {
      choose(
          known, () -> rebalances.place(known, left).orElseGet(() -> kept(known, next)), decisions);
    }
  }

  private Decision kept(KnownUnit known, String next) {
    Decision now = schedulerState.choose(known);
    return now instanceof Decision.Placed placed && placed.machine().equals(next)
        ? now
        : schedulerState
            .chooseOnly(known, next, "a place was kept for it there")
            .<Decision>map(place -> place)
            .orElse(now);
  }

  private void choose(KnownUnit known, Supplier<Decision> choice, Decisions decisions) {
    UnitName unit = known.unit().name();
    Optional<String> notYet = stillRunning(known).or(() -> placedUnseen(unit, decisions));
    if (notYet.isPresent()) {
      views.waits(unit, new Views.Waiting(notYet.get(), false));
      return;
    }
    switch (choice.get()) {
      case Decision.Placed placed -> place(known, placed, decisions);
      case Decision.Unplaceable unplaceable ->
          waits(known, unplaceable, unplaceable.text(), isRefused(unplaceable));
    }
  }

  private void relocate(Situation situation, String why, Decisions decisions) {
    KnownUnit known = situation.known().orElseThrow();
    offers.choosing(known.unit().name());
    switch (schedulerState.choose(known)) {
      case Decision.Placed placed -> {
        clear(situation, why, decisions);
        place(known, placed, decisions);
      }
      case Decision.Unplaceable unplaceable ->
          waits(known, unplaceable, why + ", and " + unplaceable.text(), false);
    }
  }

  /** Only once there is a place for it, which is kept until it has stopped here. */
  private void moveAway(KnownUnit known, Situation situation, String why, Decisions decisions) {
    UnitName unit = known.unit().name();
    Placed placed = situation.placed().orElseThrow();
    offers.choosing(unit);
    boolean drained = cluster.machines().drain(placed.machine()).isPresent();
    Drains.Turn turn = drained ? drains.turn(known, placed) : rebalances.turn(known, placed);
    offers.ask(known, turn.mayBid());
    switch (turn) {
      case Drains.Turn.Goes goes -> {
        String to = goes.place().machine();
        change(placed, placed.record().moving(why, to), decisions);
        schedulerState.assumeMoving(known, to);
        decisions
            .messages()
            .add(
                "taking %s from machine %s, with a place for it on machine %s: %s"
                    .formatted(unit, placed.machine(), to, why));
      }
      case Drains.Turn.Waits waits -> queue.waits(unit, waits.onUnits(), false);
      case Drains.Turn.Stays stays -> queue.waits(unit, stays.onUnits(), stays.forRoom());
      case Drains.Turn.Ended _ -> {}
    }
  }

  private void waits(KnownUnit known, Decision.Unplaceable decision, String why, boolean refused) {
    UnitName unit = known.unit().name();
    Set<String> onUnits = new HashSet<>(decision.unitsInTheWay());
    onUnits.addAll(known.requirements().machineOf());
    queue.waits(unit, onUnits, decision.waitsForRoom());
    offers.ask(known, decision.mayBid());
    views.waits(unit, new Views.Waiting(why, refused));
  }

  private void waitsNoLonger(UnitName unit) {
    queue.waitsNoLonger(unit);
    views.waitsNoLonger(unit);
  }

  /** Whether nothing but foreign units of the same name are in the way. */
  private static boolean isRefused(Decision.Unplaceable decision) {
    return !decision.obstacles().isEmpty()
        && decision.obstacles().stream().allMatch(Obstacle::isForeignName);
  }

  /** A machine that still has an earlier content of the unit must be rid of it first. */
  private Optional<String> stillRunning(KnownUnit known) {
    for (UnitState state : cluster.reports().states(known.unit().name()).values()) {
      if (!state.incarnation().equals(known.unit().incarnation())) {
        return Optional.of("its earlier content is being stopped on machine " + state.machine());
      }
    }
    return Optional.empty();
  }

  /** Somebody took the entry away and left the placement: nobody knows what runs there. */
  private Optional<String> placedUnseen(UnitName unit, Decisions decisions) {
    return cluster
        .schedule()
        .placement(unit)
        .filter(_ -> cluster.schedule().of(unit).isEmpty())
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

  /**
   * Says of all that was touched why it has no place, and decides nothing.
   *
   * @param explained told of each unit that was looked at
   */
  void explain(boolean led, Consumer<UnitName> explained) {
    for (Optional<UnitName> unit = queue.next(); unit.isPresent(); unit = queue.next()) {
      try {
        explain(unit.get(), led);
      } catch (RuntimeException e) {
        log.warn("cannot explain {}: {}", unit.get(), e, e);
        views.waits(unit.get(), new Views.Waiting(failure(e), false));
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
      views.waits(unit, new Views.Waiting(fault.get(), false));
    } else if (known.isPresent()) {
      explain(known.get(), led);
    }
  }

  private void explain(KnownUnit known, boolean led) {
    UnitName unit = known.unit().name();
    Optional<String> kept =
        cluster.schedule().of(unit).flatMap(placed -> missing.whyKept(placed.machine()));
    if (kept.isPresent()) {
      views.waits(unit, Views.Waiting.kept(kept.get()));
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
    Optional<String> notYet = stillRunning(known).or(() -> placedUnseen(unit, Decisions.none()));
    if (notYet.isPresent()) {
      views.waits(unit, new Views.Waiting(notYet.get(), false));
      return;
    }
    switch (schedulerState.choose(known)) {
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

  /** A machine that reads the store itself would start what somebody has just destroyed. */
  private static void requireAsKnown(KnownUnit known, Decisions decisions) {
    UnitName unit = known.unit().name();
    decisions.writes().require(unit, Keys.unit(unit), OptionalLong.of(known.stored().revision()));
  }

  private void place(KnownUnit known, Decision.Placed placed, Decisions decisions) {
    UnitName unit = known.unit().name();
    String machine = placed.machine();
    Writes writes = decisions.writes();
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
    placed.displaced().forEach(this::touch);
  }

  /**
   * One that has just been decided on already is looked at again with the next, since what the
   * state shows of it is out of date.
   */
  private void touch(UnitName unit) {
    if (considered.contains(unit)) {
      again.add(unit);
    } else {
      queue.touch(unit);
    }
  }

  private static ScheduleRecord record(KnownUnit known) {
    return new ScheduleRecord(
            known.unit().incarnation(),
            known.sha256(),
            known.unit().file().hash(),
            known.target(),
            known.unit().restartCounter())
        .withRequire(known.unit().require());
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

  /**
   * A lost machine that comes back must not start the unit again, so its entry changes in the same
   * transaction. One that has told that the unit is gone was told to stop it: its entry goes next.
   */
  private static void noteEnd(Situation situation, String why, Decisions decisions) {
    KnownUnit known = situation.known().orElseThrow();
    Placed placed = situation.placed().orElseThrow();
    UnitName unit = known.unit().name();
    requireAsKnown(known, decisions);
    decisions.writes().put(unit, Keys.unit(unit), known.record().asEnded().json());
    if (placed.record().target() == Target.LAUNCHED) {
      change(placed, placed.record().withTarget(Target.LOADED), decisions);
    }
    decisions.messages().add(unit + " has ended and is not started elsewhere: " + why);
  }

  private void beginStopping(Placed placed, String why, Decisions decisions) {
    UnitName unit = placed.entry().unit();
    change(placed, placed.record().stopping(why), decisions);
    schedulerState.assumeLeaving(unit);
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
      decisions.bereft().add(machine);
    } else {
      writes.require(unit, Keys.state(machine, unit), cluster.reports().revision(machine, unit));
      gaveRoom = true;
    }
    writes.delete(unit, Keys.placement(unit));
    writes.delete(unit, key);
    schedulerState.assumeGone(unit);
    decisions.messages().add(unit + " has left machine " + machine + ": " + why);
  }
}
