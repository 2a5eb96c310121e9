package fleet.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Holds what systemd's journals tell against what was acknowledged. What fleet believes counts for
 * nothing. For one thread.
 */
final class HistoryChecker {

  /** Within this time after a fault a machine is given up, and its units are started elsewhere. */
  private static final long AFTER_LOSS = 60_000_000;

  private final History history;
  private final List<UnitRun> all;
  private final List<String> units;
  private final boolean stopsIsolated;
  private final List<Breach> violations = new ArrayList<>();

  /**
   * A judge of one run of chaos.
   *
   * @param all what ran where
   * @param stopsIsolated whether machines that are cut off stop their units, so that none ever runs
   *     twice
   */
  HistoryChecker(History history, List<UnitRun> all, boolean stopsIsolated) {
    this.history = history;
    this.all = all;
    this.units = history.requests().stream().map(Request::unit).distinct().sorted().toList();
    this.stopsIsolated = stopsIsolated;
  }

  /** All that did not hold, in the order of time. */
  List<Breach> violations() {
    violations.clear();
    for (String unit : units) {
      List<UnitRun> runs = runs(unit);
      judgeOverlaps(runs);
      judgeRequests(unit, runs);
      judgeStarts(unit, runs);
      judgeEnd(unit, runs);
    }
    violations.sort(Comparator.comparingLong(Breach::atMicros));
    return List.copyOf(violations);
  }

  /** Whether all is as it was asked to be last. */
  boolean isSettled() {
    violations.clear();
    units.forEach(unit -> judgeEnd(unit, runs(unit)));
    return violations.isEmpty();
  }

  private List<UnitRun> runs(String unit) {
    return all.stream()
        .filter(run -> run.unit().equals(unit))
        .sorted(Comparator.comparingLong(UnitRun::startMicros))
        .toList();
  }

  // ---- one machine at a time

  private void judgeOverlaps(List<UnitRun> runs) {
    for (int i = 0; i < runs.size(); i++) {
      for (UnitRun later : runs.subList(i + 1, runs.size())) {
        judgePair(runs.get(i), later);
      }
    }
  }

  private void judgePair(UnitRun one, UnitRun later) {
    long until = Math.min(one.atLeast().toMicros(), later.atLeast().toMicros());
    Span both = new Span(later.startMicros(), until);
    boolean excused =
        !stopsIsolated && (isLost(one.machine(), both) || isLost(later.machine(), both));
    if (!one.machine().equals(later.machine()) && until > later.startMicros() && !excused) {
      String length =
          until == Long.MAX_VALUE ? "to the end" : (until - later.startMicros()) / 1000 + " ms";
      violate(
          one.unit(),
          later.startMicros(),
          "ran on %s and %s at once, %s".formatted(one.machine(), later.machine(), length));
    }
  }

  // ---- what was acknowledged was done, once

  private void judgeRequests(String unit, List<UnitRun> runs) {
    List<Request> requests = history.requestsOf(unit);
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      if (request.acknowledged() && request.mayStart()) {
        judgeStarted(request, runs);
      } else if (request.acknowledged()) {
        List<Request> later = requests.subList(i + 1, requests.size());
        long nextStart =
            later.stream()
                .filter(Request::mayStart)
                .mapToLong(next -> next.during().fromMicros())
                .findFirst()
                .orElse(Long.MAX_VALUE);
        boolean startedBefore = i > 0 && !requests.get(i - 1).acknowledged();
        judgeStopped(request, runs, nextStart, startedBefore);
      }
    }
  }

  private void judgeStarted(Request request, List<UnitRun> runs) {
    Span during = request.during();
    long starts = runs.stream().filter(run -> during.holds(run.startMicros())).count();
    boolean isJob = isJob(request.unit());
    boolean mustStart = request.verb().equals("restart") || isJob;
    boolean disturbed = isDisturbed(runs, during);
    // While machines are out of reach, a unit may be about to be started again.
    Span soon = disturbed ? new Span(during.fromMicros(), during.toMicros() + AFTER_LOSS) : during;
    boolean none =
        mustStart ? starts == 0 : runs.stream().noneMatch(run -> run.atMost().meets(soon));
    if (none || (starts > 1 && !disturbed)) {
      violate(
          request.unit(),
          during.toMicros(),
          "\"%s\" was acknowledged, and the unit was started %d times".formatted(request, starts));
    }
  }

  /**
   * A stop is for good.
   *
   * @param startedBefore whether a request before may still be on its way
   */
  private void judgeStopped(
      Request request, List<UnitRun> runs, long nextStart, boolean startedBefore) {
    long stopped = request.during().toMicros();
    for (UnitRun run : runs) {
      boolean later = run.startMicros() > stopped;
      if (later && run.startMicros() < nextStart && !startedBefore) {
        violate(
            run.unit(),
            run.startMicros(),
            "started on %s after \"%s\"".formatted(run.machine(), request));
      }
      if (!later && run.atLeast().toMicros() > stopped && !isDisturbed(runs, request.during())) {
        violate(
            run.unit(),
            stopped,
            "still ran on %s when \"%s\" was acknowledged".formatted(run.machine(), request));
      }
    }
  }

  // ---- nothing starts by itself

  private void judgeStarts(String unit, List<UnitRun> runs) {
    for (UnitRun run : runs) {
      long at = run.startMicros();
      boolean excused = isDisturbed(runs, new Span(at, at)) || isBackInTime(run, runs);
      if (!isAsked(unit, at) && !excused) {
        violate(unit, at, "started on %s, though nobody had asked".formatted(run.machine()));
      }
    }
  }

  /** Nobody knows when a request is carried out that was not acknowledged. */
  private boolean isAsked(String unit, long at) {
    List<Request> before =
        history.requestsOf(unit).stream()
            .filter(request -> request.during().fromMicros() <= at)
            .toList();
    if (before.isEmpty()) {
      return false;
    }
    Request last = before.getLast();
    boolean unsure =
        before.stream()
            .skip(Math.max(0, before.size() - 2L))
            .anyMatch(request -> !request.acknowledged());
    return unsure || (last.mayStart() && last.during().holds(at));
  }

  // ---- and at the end it is as it was asked to be

  private void judgeEnd(String unit, List<UnitRun> runs) {
    Optional<Request> last = history.requestsOf(unit).stream().reduce((_, later) -> later);
    if (last.isEmpty() || !last.get().acknowledged()) {
      return;
    }
    List<String> running = runs.stream().filter(UnitRun::isRunning).map(UnitRun::machine).toList();
    int wanted = last.get().mayStart() && !isJob(unit) ? 1 : 0;
    if (running.size() != wanted) {
      violate(
          unit,
          last.get().during().toMicros(),
          "runs on %s at the end, and \"%s\" was the last request".formatted(running, last.get()));
    }
  }

  // ---- excuses

  /** Whether a machine where the unit may have run may have been taken for lost. */
  private boolean isDisturbed(List<UnitRun> runs, Span span) {
    return history.disturbances().stream()
        .filter(Disturbance::losesMachine)
        .filter(one -> withAfter(one).meets(span))
        .anyMatch(one ->
            one.isOfAll()
                || runs.stream()
                    .anyMatch(run ->
                        run.machine().equals(one.where()) && run.atMost().meets(withAfter(one))));
  }

  /**
   * Whether a machine stopped the unit and started it again by itself, as it does if etcd chooses
   * another leader for longer than the machine may go without an answer.
   */
  private boolean isBackInTime(UnitRun run, List<UnitRun> runs) {
    Span then = new Span(run.startMicros(), run.startMicros());
    boolean etcdFails =
        history.disturbances().stream()
            .filter(Disturbance::isOfAll)
            .anyMatch(one -> withAfter(one).meets(then));
    return stopsIsolated
        && etcdFails
        && runs.stream()
            .filter(before -> before.startMicros() < run.startMicros())
            .reduce((_, later) -> later)
            .filter(before -> before.machine().equals(run.machine()))
            .isPresent();
  }

  private boolean isLost(String machine, Span span) {
    return history.disturbances().stream()
        .filter(Disturbance::losesMachine)
        .filter(one -> one.isOfAll() || one.where().equals(machine))
        .anyMatch(one -> withAfter(one).meets(span));
  }

  private static Span withAfter(Disturbance one) {
    return new Span(one.during().fromMicros(), one.during().toMicros() + AFTER_LOSS);
  }

  private static boolean isJob(String unit) {
    return unit.startsWith(ChaosUser.JOB);
  }

  private void violate(String unit, long at, String text) {
    violations.add(new Breach(unit, at, text));
  }
}
