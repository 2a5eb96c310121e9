package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.agent.mark.Start;
import fleet.agent.mark.Start.Answer;
import fleet.agent.place.Placer;
import fleet.core.collection.OrderedCopy;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.systemd.Systemd;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the states of the units here as systemd has them: out of its signals, read again when a job
 * has ended, and all of them in a slow safety pass. Owned by the agent's event thread.
 */
final class UnitStateObserver {

  private static final Logger log = LoggerFactory.getLogger(UnitStateObserver.class);

  private final LocalUnits units;
  private final Systemd systemd;
  private final Placer placer;
  private final Marks marks;
  private final BackgroundWork work;
  private final InstantSource clock;
  private final Set<UnitName> toRefresh = new HashSet<>();
  private final Set<UnitName> toSettle = new HashSet<>();

  /** Units whose start has come to its end, until their state has been read. */
  private final Set<UnitName> ended = new HashSet<>();

  private final Set<UnitName> failedStarts = new HashSet<>();

  /**
   * Units that systemd may have stopped although the stop failed, until their state has been read.
   */
  private final Set<UnitName> undone = new HashSet<>();

  private final Set<UnitName> heardOf = new HashSet<>();
  private boolean refreshing;

  UnitStateObserver(
      LocalUnits units,
      Systemd systemd,
      Placer placer,
      Marks marks,
      BackgroundWork work,
      InstantSource clock) {
    this.units = units;
    this.systemd = systemd;
    this.placer = placer;
    this.marks = marks;
    this.work = work;
    this.clock = clock;
  }

  /** Reads a unit's state again, with the next batch. */
  void refresh(UnitName name) {
    toRefresh.add(name);
  }

  /** Asks again about units of which systemd has said that their files are missing. */
  void placed(Set<UnitName> names) {
    if (refreshing) {
      heardOf.addAll(names);
    }
    names.stream()
        .flatMap(name -> units.find(name).stream())
        .filter(unit -> unit.systemd().load().equals("not-found"))
        .forEach(unit -> refresh(unit.name()));
  }

  void refreshAll() {
    toRefresh.addAll(units.names());
  }

  /**
   * A start's job has ended: the state read from now on belongs to that start.
   *
   * @param failed whether the job failed; if the unit's state does not show it, fleet reports it
   */
  void settleStart(UnitName name, boolean failed) {
    if (failed) {
      failedStarts.add(name);
    }
    ended.add(name);
    toSettle.add(name);
    toRefresh.add(name);
  }

  /**
   * A stop has failed: units that systemd was to stop together with that one may be stopped, or
   * not.
   */
  void settleStopsWith(UnitName name) {
    units.all().stream()
        .filter(unit -> unit.isStoppedWith(name))
        .forEach(unit -> {
          undone.add(unit.name());
          toRefresh.add(unit.name());
        });
  }

  /** Whether how some work on the unit ends is yet to be seen. */
  boolean isUnderWay(UnitName name) {
    return units.isBusy(name)
        || ended.contains(name)
        || units.find(name).filter(LocalUnit::isStarting).isPresent();
  }

  /** Reads all pending states in one call, unless one is under way. */
  void beginBatch() {
    if (refreshing || toRefresh.isEmpty()) {
      return;
    }
    refreshing = true;
    Set<UnitName> batch = OrderedCopy.of(toRefresh);
    Set<UnitName> settling = OrderedCopy.of(toSettle);
    toRefresh.clear();
    toSettle.clear();
    heardOf.clear();
    work.begin(
        () -> systemd.states(batch),
        states -> refreshed(states, settling),
        fault -> {
          log.warn(
              "cannot read the states of {} units: {}", batch.size(), BackgroundWork.reason(fault));
          toSettle.addAll(settling);
          work.later(() -> toRefresh.addAll(batch));
        },
        () -> refreshing = false);
  }

  private void refreshed(Map<UnitName, SystemdState> states, Set<UnitName> settling) {
    for (var read : states.entrySet()) {
      UnitName name = read.getKey();
      boolean settles = settling.contains(name);
      if (heardOf.contains(name)) {
        readAgain(name, settles);
      } else {
        units.find(name).ifPresent(unit -> refreshed(unit, read.getValue(), settles));
      }
    }
  }

  private void refreshed(LocalUnit unit, SystemdState state, boolean settles) {
    changed(unit, state);
    if (undone.remove(unit.name())) {
      settleStop(unit);
      units.touch(unit.name());
    }
    settleUnconfirmedStart(unit);
    if (settles) {
      ended.remove(unit.name());
      unit.startSettled();
      if (failedStarts.remove(unit.name()) && state.active().equals("inactive")) {
        unit.problem("systemd could not start it; see: fleetctl status " + unit.name());
      }
    }
  }

  /** A signal came while the state was read, and it is unknown which of the two is newer. */
  private void readAgain(UnitName name, boolean settles) {
    toRefresh.add(name);
    if (settles) {
      toSettle.add(name);
    }
  }

  /** A signal of systemd with the present state of a unit. */
  void changed(UnitName name, SystemdState state) {
    if (refreshing) {
      heardOf.add(name);
    }
    units.find(name).ifPresent(unit -> changed(unit, state));
  }

  private void changed(LocalUnit unit, SystemdState state) {
    unit.systemd(state, work.nanoTime());
    units.changed(unit.name());
    if (!unit.isStartSettled() && !isUnderWay(unit.name()) && !state.isChanging()) {
      unit.startSettled();
    }
  }

  /** Takes over a unit that an earlier agent placed. */
  void adopt(LocalUnit unit, SystemdState state) {
    unit.systemd(state, work.nanoTime() - age(state).toNanos());
    unit.incomplete(!isInPlace(unit.mark(), state));
    settleStop(unit);
    settleUnconfirmedStart(unit);
    if (unit.mark().isStart(Answer.REFUSED)) {
      // The units that it lacked may have come while no fleetd ran.
      unit.mark(unit.mark().notStarted());
    }
    if (!state.isChanging()) {
      unit.startSettled();
    }
    log.info("found {} {} as fleet left it", unit.name(), state.active());
  }

  /** A unit that ended while no fleetd was here has ended, however short a time this one runs. */
  private Duration age(SystemdState state) {
    Duration age = Duration.between(state.since(), clock.instant());
    return age.isNegative() ? Duration.ZERO : age;
  }

  /**
   * A stop has ended with an unknown outcome: the connection or an earlier fleetd ended in between.
   * If the unit does not run then, it has not ended by itself: it is started if it is wanted here
   * again.
   */
  private void settleStop(LocalUnit unit) {
    if (unit.mark().stopping()) {
      SystemdState state = unit.systemd();
      unit.stopSettled(!state.isActive() && !state.active().equals("activating"));
      marks.note(unit.mark());
    }
  }

  private boolean isInPlace(Mark mark, SystemdState state) {
    return mark.complete() && placer.isIntact(mark) && !state.load().equals("not-found");
  }

  /**
   * A start was requested without a note that systemd took it: fleetd or the connection ended in
   * between. If the unit's processes have not changed since, it is started again, unless it is of a
   * kind that must not run twice.
   */
  private void settleUnconfirmedStart(LocalUnit unit) {
    if (unit.mark().isStart(Answer.UNKNOWN) && !units.isBusy(unit.name())) {
      settle(unit, unit.mark().start().orElseThrow(), unit.systemd());
      units.touch(unit.name());
    }
  }

  private void settle(LocalUnit unit, Start start, SystemdState state) {
    boolean isAnother =
        !state.invocation().isEmpty() && !state.invocation().equals(start.invocation());
    if (isAnother) {
      unit.mark(unit.mark().startTaken());
    } else if (state.invocation().isEmpty() && placer.isOneshot(unit.name())) {
      unit.mark(unit.mark().startTaken());
      unit.problem(
          "fleetd ended while it was being started, and it may have run; to run it (again):"
              + " fleetctl restart "
              + unit.name());
    } else {
      unit.mark(unit.mark().notStarted());
      unit.forgetStart();
    }
    marks.note(unit.mark());
  }

  /** Looks at everything as if no event had ever come; it should find nothing. */
  void safetyPass() {
    Set<UnitName> names = OrderedCopy.of(units.names());
    work.begin(
        () -> systemd.states(names),
        states -> states.forEach(this::compare),
        fault -> log.warn("safety pass: {}", BackgroundWork.reason(fault)),
        () -> {});
  }

  private void compare(UnitName name, SystemdState state) {
    units.find(name).filter(_ -> !units.isBusy(name)).ifPresent(unit -> compare(unit, state));
  }

  private void compare(LocalUnit unit, SystemdState state) {
    if (!unit.systemd().equals(state)) {
      log.warn("safety pass: {} is {} and was believed {}", unit.name(), state, unit.systemd());
      refresh(unit.name());
    }
    if (!unit.isIncomplete() && !isInPlace(unit.mark(), state)) {
      log.warn("safety pass: {} is not in place as it was; placing it again", unit.name());
      unit.incomplete(true);
      units.touch(unit.name());
    }
  }
}
