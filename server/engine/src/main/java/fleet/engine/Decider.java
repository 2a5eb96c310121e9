package fleet.engine;

import fleet.core.unit.UnitName;
import fleet.engine.decide.NextStep;
import fleet.engine.decide.UnitReconciliation;
import fleet.engine.decide.UnitSituation;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.scheduler.Decision;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what was touched into decisions: what must change, and where it goes. {@link UnitWrites}
 * has the writes that do it, {@link WaitExplainer} the reasons why a unit waits. Owned by the state
 * thread.
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
  private final WorkQueue queue;
  private final SchedulerState schedulerState;
  private final OpenOffers offers;
  private final Operations operations;
  private final Companions companions;
  private final WaitExplainer waits;
  private final UnitWrites writes;
  private final Set<UnitName> considered = new HashSet<>();
  private final Set<UnitName> again = new HashSet<>();

  /** The units that earlier batches of this turn decide on. */
  private final Set<String> earlier = new HashSet<>();

  /** Units that are looked at first once the batches of this turn are written. */
  private final List<UnitName> putOff = new ArrayList<>();

  private final Set<UnitName> failed = new LinkedHashSet<>();
  private boolean gaveRoom;
  private int writtenAtOnce = UNITS_WRITTEN_AT_ONCE;

  Decider(LiveState state, Clock clock) {
    this.cluster = state.cluster();
    this.missing = state.missing();
    this.queue = state.queue();
    this.schedulerState = state.schedulerState();
    this.offers = state.offers();
    this.waits = new WaitExplainer(state);
    this.writes = new UnitWrites(cluster, schedulerState, clock);
    this.operations = state.operations();
    this.companions = new Companions(cluster);
  }

  // ---- what became of decisions

  /** All that was decided last has been written. */
  void written() {
    writtenAtOnce = Math.min(UNITS_WRITTEN_AT_ONCE, 2 * writtenAtOnce);
  }

  /** Takes back what decisions assumed, since they were not written. */
  void undo(Decisions decisions) {
    decisions.considered().forEach(queue::undone);
  }

  /** Makes smaller batches from now on, to find the unit that blocks the others. */
  void halve(Decisions decisions) {
    writtenAtOnce = Math.max(1, decisions.writes().units().size() / 2);
  }

  // ---- decisions

  /**
   * Decides on what was touched, or on some of it. The batches may be written in any order, each or
   * none of them: no two write of one unit, none takes room that another gives, none places a unit
   * with a peer that another moves, and none takes a unit away for one that another places. A
   * decision that would is put off until the other is written.
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
    // If something could not be written, one batch at a time finds out what it was.
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

  /** Returns false if deciding threw: then none of these decisions may be written. */
  private boolean consider(UnitName unit, Decisions decisions) {
    considered.add(unit);
    try {
      look(unit, decisions);
      return true;
    } catch (RuntimeException e) {
      // The writes and the reservations may be incomplete for this unit.
      failed(unit, e);
      undo(decisions);
      return false;
    }
  }

  private void failed(UnitName unit, RuntimeException e) {
    log.error("cannot decide about {}, trying again later: {}", unit, e, e);
    failed.add(unit);
    queue.setAside(unit);
    waits.failed(unit, e);
  }

  /** Hands out, once, the units that were set aside since nothing could be decided about them. */
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
    waits.waitsNoLonger(unit);
    offers.looking();
    Optional<String> fault = cluster.fault(unit);
    if (fault.isPresent()) {
      waits.fault(unit, fault.get());
    } else {
      decide(unit, decisions);
    }
    offers.looked(unit);
  }

  /** Whether the unit must be placed with one that an earlier batch decides on. */
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
    writes.global(unit, global ? known : Optional.empty(), decisions);
    Optional<KnownUnit> single = global ? Optional.empty() : known;
    UnitSituation situation = situation(unit, single);
    switch (UnitReconciliation.next(situation)) {
      case NextStep.None _ -> waits.absence(situation.placed());
      case NextStep.Choose _ -> choose(single.orElseThrow(), decisions);
      case NextStep.Retarget retarget -> {
        waits.absence(situation.placed());
        UnitWrites.requireAsKnown(single.orElseThrow(), decisions);
        UnitWrites.retarget(situation.placed().orElseThrow(), retarget, decisions);
      }
      case NextStep.ReplaceInPlace replace -> {
        waits.absence(situation.placed());
        UnitWrites.requireEntry(situation.placed().orElseThrow(), decisions);
        place(single.orElseThrow(), replace.place(), decisions);
        // The new content may ask for less.
        gaveRoom = true;
      }
      case NextStep.BeginStopping stopping -> {
        if (situation.unfit().isPresent() && !earlier.isEmpty()) {
          // Perhaps only since an earlier batch places another there.
          putOff.add(unit);
        } else {
          waits.absence(situation.placed());
          writes.beginStopping(situation, stopping.why(), decisions);
        }
      }
      case NextStep.MoveAway away ->
          moveAway(single.orElseThrow(), situation, away.why(), decisions);
      case NextStep.Clear clear -> {
        clear(situation, clear.why(), decisions);
        single
            .filter(KnownUnit::wantsPlace)
            .ifPresent(freed -> choose(freed, situation.placed().orElseThrow(), decisions));
      }
      case NextStep.Relocate relocate -> relocate(situation, relocate.why(), decisions);
      case NextStep.NoteEnd end -> UnitWrites.noteEnd(situation, end.why(), decisions);
    }
  }

  private UnitSituation situation(UnitName unit, Optional<KnownUnit> known) {
    Optional<ScheduledUnit> placed = cluster.schedule().of(unit);
    return new UnitSituation(
        known,
        placed,
        placed.filter(cluster.reports()::isGone).isPresent(),
        placed.filter(entry -> missing.isLost(entry.machine())).isPresent(),
        placed.filter(this::hadEnded).isPresent(),
        placed.isPresent() && known.isPresent()
            ? schedulerState.unfit(known.get(), placed.get().machine())
            : Optional.empty(),
        known.flatMap(wanted -> placed.flatMap(entry -> inPlace(wanted, entry))),
        placed.flatMap(operations::why));
  }

  /** Another machine that still has some content of the unit must remove it first. */
  private Optional<Decision.Placed> inPlace(KnownUnit known, ScheduledUnit placed) {
    boolean mayStay =
        known.wantsPlace()
            && !known.unit().incarnation().equals(placed.record().incarnation())
            && operations.why(placed).isEmpty()
            && Set.of(placed.machine())
                .containsAll(cluster.reports().states(known.unit().name()).keySet());
    return mayStay ? schedulerState.chooseInPlace(known) : Optional.empty();
  }

  private boolean hadEnded(ScheduledUnit placed) {
    return cluster.reports().hasEnded(placed)
        || cluster
            .ended()
            .of(placed)
            .filter(state -> UnavailableUnits.hasEnded(placed, state))
            .isPresent();
  }

  private void choose(KnownUnit known, Decisions decisions) {
    offers.choosing(known.unit().name());
    choose(known, () -> schedulerState.choose(known), decisions);
  }

  /** A unit that has left its machine for another goes there, as was announced. */
  private void choose(KnownUnit known, ScheduledUnit left, Decisions decisions) {
    String next = left.record().next();
    if (next.isEmpty()) {
      choose(known, decisions);
    } else {
      choose(
          known, () -> operations.place(known, left).orElseGet(() -> kept(known, next)), decisions);
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
    Optional<String> notYet = waits.notYet(known, decisions.writes());
    if (notYet.isPresent()) {
      waits.fault(unit, notYet.get());
      return;
    }
    switch (choice.get()) {
      case Decision.Placed placed -> place(known, placed, decisions);
      case Decision.Unplaceable unplaceable -> {
        decisions.tally().foundNoMachine();
        waits.waits(known, unplaceable, unplaceable.text(), WaitExplainer.isRefused(unplaceable));
      }
    }
  }

  private void relocate(UnitSituation situation, String why, Decisions decisions) {
    KnownUnit known = situation.known().orElseThrow();
    offers.choosing(known.unit().name());
    switch (schedulerState.choose(known)) {
      case Decision.Placed placed -> {
        clear(situation, why, decisions);
        place(known, placed, decisions);
      }
      case Decision.Unplaceable unplaceable -> {
        decisions.tally().foundNoMachine();
        waits.waits(known, unplaceable, why + ", and " + unplaceable.text(), false);
      }
    }
  }

  /** Leaves only once a place is reserved for it, until it has stopped here. */
  private void moveAway(KnownUnit known, UnitSituation situation, String why, Decisions decisions) {
    UnitName unit = known.unit().name();
    ScheduledUnit placed = situation.placed().orElseThrow();
    offers.choosing(unit);
    Drains.MoveDecision decision = operations.moveDecision(known, placed);
    offers.ask(known, decision.mayBid());
    switch (decision) {
      case Drains.MoveDecision.Goes goes -> {
        String to = goes.place().machine();
        UnitWrites.change(placed, placed.record().moving(why, to), decisions);
        schedulerState.assumeMoving(known, to);
        decisions
            .tally()
            .took(operations.isDrained(placed) ? MoveCause.DRAIN : MoveCause.REBALANCE);
        decisions
            .messages()
            .add(
                "taking %s from machine %s, with a place for it on machine %s: %s"
                    .formatted(unit, placed.machine(), to, why));
      }
      case Drains.MoveDecision.Waits wait -> queue.waits(unit, wait.onUnits(), false);
      case Drains.MoveDecision.Stays stays -> queue.waits(unit, stays.onUnits(), stays.forRoom());
      case Drains.MoveDecision.Ended _ -> {}
    }
  }

  private void place(KnownUnit known, Decision.Placed placed, Decisions decisions) {
    writes.place(known, placed, decisions);
    placed.displaced().forEach(this::touch);
  }

  private void clear(UnitSituation situation, String why, Decisions decisions) {
    writes.clear(situation, why, decisions);
    gaveRoom |= !situation.lost();
  }

  /** A unit that was just decided on waits for the next batch: its state is out of date. */
  private void touch(UnitName unit) {
    if (considered.contains(unit)) {
      again.add(unit);
    } else {
      queue.touch(unit);
    }
  }
}
