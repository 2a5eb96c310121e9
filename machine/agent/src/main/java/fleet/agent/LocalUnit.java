package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Start.Answer;
import fleet.agent.reconcile.Presence;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One unit that the agent placed. Owned by the agent's event thread. */
final class LocalUnit {

  private Mark mark;
  private SystemdState systemd = SystemdState.DEAD;
  private String problem = "";
  private long reportedCounter;
  private @Nullable UnitState lastReport;
  private boolean incomplete;
  private boolean marked = true;
  private @Nullable Long since;
  private boolean givenUp;
  private @Nullable UnitState end;
  private @Nullable Object starting;
  private Set<UnitName> missed = Set.of();

  LocalUnit(Mark mark) {
    this.mark = mark;
  }

  UnitName name() {
    return mark.unit();
  }

  Mark mark() {
    return mark;
  }

  void mark(Mark changed) {
    mark = changed;
  }

  SystemdState systemd() {
    return systemd;
  }

  /**
   * systemd says how it is.
   *
   * @param now in nanoseconds of the loop
   */
  void systemd(SystemdState state, long now) {
    if (!state.active().equals(systemd.active()) || !state.since().equals(systemd.since())) {
      since = now;
    }
    if (state.isActive() && !systemd.isActive()) {
      // The unit was started since, by anybody: the reason of the failed start is void.
      problem = "";
    }
    if (mark.stopping() && state.active().equals("inactive")) {
      problem =
          "systemd stopped it together with " + UnitList.inOneLine(missed) + "; waiting for that";
    }
    systemd = state;
  }

  /** Whether systemd was to stop it together with another unit. */
  boolean isStoppedWith(UnitName other) {
    return mark.stopping() && missed.contains(other);
  }

  /** The outcome of the stop under way is known now. */
  void stopSettled(boolean made) {
    mark = made ? mark.stopped() : mark.notStopped();
    missed = Set.of();
    problem = "";
    if (made) {
      forgetStart();
    }
  }

  /**
   * systemd is about to stop it together with another unit that fleet removes. Afterwards it counts
   * as stopped, not as ended: it lacks the other one.
   *
   * @return whether it runs, so that there is something to stop
   */
  boolean stopsWith(UnitName removed) {
    boolean runs = !systemd.active().equals("inactive") && !systemd.isFailed();
    if (runs || isStarting()) {
      mark = mark.aboutToStop();
      missed = Set.of(removed);
      passOverStart();
    }
    return mark.stopping();
  }

  /** Its last start is to be made once more. */
  void startAgain() {
    mark = mark.stopping() ? mark.stopped() : mark.notStarted();
    missed = Set.of();
    passOverStart();
  }

  /**
   * Whether its last start has run to its end as it should.
   *
   * @param rest for how long it must have been inactive for that
   */
  boolean hasEnded(Duration rest, long now) {
    return isAtRest() && isStartSettled() && since != null && now - since >= rest.toNanos();
  }

  /** Whether it became inactive too recently to tell whether it has ended. */
  boolean mayHaveEnded(Duration rest, long now) {
    return isAtRest() && since != null && now - since < rest.toNanos();
  }

  private boolean isAtRest() {
    return mark.started().isPresent()
        && mark.isStart(Answer.TAKEN)
        && !mark.stopping()
        && !givenUp
        && !incomplete
        && problem.isEmpty()
        && systemd.active().equals("inactive");
  }

  /** From now on this machine gives up the requested start. */
  void giveUp() {
    givenUp = true;
    forgetStart();
  }

  /** Keeps the present state as the unit's reported end, whatever happens later. */
  void keepEnd(String machine) {
    end = state(machine);
  }

  String problem() {
    return problem;
  }

  void problem(String text) {
    problem = text;
  }

  /**
   * Adopts the unit as scheduled, if its mark is lost and its content may match: then its processes
   * are those of the last start.
   */
  void recall(ScheduleEntry entry) {
    if (mark.isLost() && mark.mayBeOf(entry)) {
      boolean started = !systemd.active().equals("inactive") || !systemd.invocation().isEmpty();
      Mark placing = Mark.placing(entry);
      mark = started ? placing.starting(entry.restartCounter(), "").startTaken() : placing;
      if (!systemd.isChanging()) {
        startSettled();
      }
    }
  }

  /** Whether its file is missing or altered, so that it must be placed again. */
  boolean isIncomplete() {
    return incomplete;
  }

  void incomplete(boolean is) {
    incomplete = is;
  }

  /** Whether it has fleet's mark; without it, the name may be somebody else's. */
  boolean isMarked() {
    return marked;
  }

  void marked(boolean is) {
    marked = is;
  }

  /**
   * Tells the engine that the last start has ended, or that systemd reports it as running: from
   * then on the reported state belongs to that start.
   */
  void startSettled() {
    if (!givenUp) {
      reportedCounter = mark.started().orElse(0);
    }
  }

  boolean isStartSettled() {
    return givenUp || reportedCounter == mark.started().orElse(0);
  }

  void forgetStart() {
    reportedCounter = 0;
  }

  /**
   * The end of a start is waited for.
   *
   * @return by which {@link #awaitsEndOf} knows it again
   */
  Object awaitEnd() {
    Object start = new Object();
    starting = start;
    return start;
  }

  /** Whether a start is under way; its end is waited for unless something else is done first. */
  boolean isStarting() {
    return starting != null;
  }

  /** Whether the end of this start is still waited for. */
  boolean awaitsEndOf(Object start) {
    return start.equals(starting);
  }

  /** How the start under way ends matters no more. */
  void passOverStart() {
    starting = null;
  }

  /** Its start has failed, and these units that it names are not here. */
  void missed(Set<UnitName> absent) {
    missed = absent;
  }

  /** The units without which its last start failed or was undone, and that have not come since. */
  Set<UnitName> missed() {
    return missed;
  }

  /** Whether it does not run because one of these was not here. */
  boolean misses(Set<UnitName> names) {
    return missed.stream().anyMatch(names::contains);
  }

  /** Whether the schedule wants just this content of the unit to be here. */
  boolean isToBe(ScheduleEntry entry) {
    return entry.target() != TargetState.STOPPING && entry.incarnation().equals(mark.incarnation());
  }

  Presence presence() {
    return new Presence(mark.incarnation(), mark.started());
  }

  /** The state to report; empty if it was reported already. */
  Optional<UnitState> news(String machine) {
    Optional<UnitState> news = unreported(machine);
    news.ifPresent(state -> lastReport = state);
    return news;
  }

  /** The same; it stays to be reported. */
  Optional<UnitState> unreported(String machine) {
    UnitState state = end == null ? state(machine) : end;
    return mark.isLost() || state.equals(lastReport) ? Optional.empty() : Optional.of(state);
  }

  /** The state that was reported last. */
  Optional<UnitState> reported() {
    return Optional.ofNullable(lastReport);
  }

  private UnitState state(String machine) {
    return new UnitState(
        name(),
        machine,
        mark.incarnation(),
        mark.hash(),
        performed(),
        reportedCounter,
        systemd,
        problem);
  }

  void reportAgain() {
    lastReport = null;
  }

  DesiredState performed() {
    if (incomplete) {
      return DesiredState.INACTIVE;
    }
    return mark.started().isPresent() ? DesiredState.LAUNCHED : DesiredState.LOADED;
  }
}
