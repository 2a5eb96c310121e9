package fleet.agent;

import fleet.agent.mark.Mark;
import fleet.agent.place.Placer;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitType;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts that failed, or were undone, because something was not here: another unit, or the unit's
 * own file. They are retried when it comes, and a failure is reported only when nothing more is
 * expected. Owned by the agent's event thread.
 */
final class StartRetries {

  private static final Logger log = LoggerFactory.getLogger(StartRetries.class);

  /**
   * How long the schedule must have been unchanged. A unit that must be on the same machine may
   * come with a later decision of the leader, which may have thousands to make.
   */
  static final Duration QUIET = BackgroundWork.RETRY;

  /** How long to wait for another unit at most while the schedule keeps changing. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  private final LocalUnits units;
  private final Placer placer;
  private final BackgroundWork work;
  private final StartEnd end;

  /** Units whose start has just failed, with what has come since. */
  private final Map<LocalUnit, Set<UnitName>> arrivedSince = new HashMap<>();

  /** Units that were restarted without a known arrival. */
  private final Set<LocalUnit> triedAgain = new HashSet<>();

  private long scheduleChangedAt;

  StartRetries(LocalUnits units, Placer placer, BackgroundWork work, StartEnd end) {
    this.units = units;
    this.placer = placer;
    this.work = work;
    this.end = end;
    this.scheduleChangedAt = work.nanoTime();
  }

  /** The failed starts of a unit are void: systemd has taken one, or the unit is to stop. */
  void forget(LocalUnit unit) {
    triedAgain.remove(unit);
    unit.missed(Set.of());
  }

  /** The leader has decided something about this machine, and may go on with it. */
  void scheduleChanged() {
    scheduleChangedAt = work.nanoTime();
  }

  /**
   * A start has failed, perhaps because something is just arriving; then it is not reported.
   *
   * @param start as {@link LocalUnit#awaitEnd} gave it
   * @param notFound whether systemd did not find the unit or one that it needs
   */
  void failed(LocalUnit unit, Object start, String problem, boolean notFound) {
    if (!unit.awaitsEndOf(start)) {
      return;
    }
    log.warn("{}: {}", unit.name(), problem);
    Set<UnitName> meanwhile = new HashSet<>();
    arrivedSince.put(unit, meanwhile);
    work.begin(
        () -> lack(unit.mark(), notFound),
        lack -> {
          if (!unit.awaitsEndOf(start)) {
            return;
          }
          unit.missed(lack.missing());
          if (!lack.inPlace()) {
            log.warn("{} is not in place as it was; placing it again", unit.name());
            unit.incomplete(true);
            startAgain(unit);
          } else if (!lack.missing().isEmpty()) {
            awaitMissing(unit, start, problem, meanwhile);
          } else if (isThereNow(unit, lack, meanwhile, notFound)) {
            startAgain(unit);
          } else {
            ended(unit, start, problem);
          }
        },
        _ -> ended(unit, start, problem),
        () -> arrivedSince.remove(unit, meanwhile));
  }

  /**
   * The state of things after a failed start.
   *
   * @param inPlace whether the unit's own file is as it was placed
   * @param named the units that it names, directly or not
   * @param missing those of them that systemd does not find
   */
  private record Lack(boolean inPlace, Set<UnitName> named, Set<UnitName> missing) {}

  private Lack lack(Mark mark, boolean notFound) throws IOException {
    Set<UnitName> named = placer.namedBy(mark.unit());
    return new Lack(!notFound || placer.isInPlace(mark), named, placer.notFound(named));
  }

  /** systemd finds all of it now. Something may have come between its answer and this look. */
  private boolean isThereNow(LocalUnit unit, Lack lack, Set<UnitName> meanwhile, boolean notFound) {
    boolean needsOthers = notFound || unit.name().type() != UnitType.SERVICE;
    boolean came = needsOthers && !Collections.disjoint(meanwhile, lack.named());
    return came || (notFound && triedAgain.add(unit));
  }

  private void awaitMissing(LocalUnit unit, Object start, String problem, Set<UnitName> meanwhile) {
    if (!startAgainAfter(meanwhile, unit)) {
      unit.problem(
          "waits for " + UnitList.inOneLine(unit.missed()) + ", which it needs and is not here");
      units.changed(unit.name());
      endOnceQuiet(unit, start, problem, work.nanoTime());
    }
  }

  private void endOnceQuiet(LocalUnit unit, Object start, String problem, long since) {
    long now = work.nanoTime();
    Duration quiet = Duration.ofNanos(now - Math.max(since, scheduleChangedAt));
    Duration left = LONGEST.minusNanos(now - since);
    if (!unit.awaitsEndOf(start)) {
      return;
    }
    if (quiet.compareTo(QUIET) >= 0 || !left.isPositive()) {
      ended(unit, start, problem);
      return;
    }
    Duration rest = QUIET.minus(quiet);
    work.after(
        rest.compareTo(left) < 0 ? rest : left, () -> endOnceQuiet(unit, start, problem, since));
  }

  private void ended(LocalUnit unit, Object start, String problem) {
    triedAgain.remove(unit);
    end.ended(unit, start, problem);
  }

  /** Starts again what could not start without these units. */
  void arrived(Set<UnitName> names) {
    arrivedSince.values().forEach(meanwhile -> meanwhile.addAll(names));
    for (LocalUnit unit : units.all()) {
      boolean _ = startAgainAfter(names, unit);
    }
  }

  /** Looks whether units have come that are not fleet's. */
  void lookForMissing() {
    Set<UnitName> missed =
        units.all().stream()
            .flatMap(unit -> unit.missed().stream())
            .filter(name -> units.find(name).isEmpty())
            .collect(Collectors.toSet());
    if (missed.isEmpty()) {
      return;
    }
    work.begin(
        () -> placer.notFound(missed),
        missing -> {
          missed.removeAll(missing);
          arrived(missed);
        },
        fault -> log.debug("missing units: {}", BackgroundWork.reason(fault)),
        () -> {});
  }

  /** Whether it was one of those. */
  private boolean startAgainAfter(Set<UnitName> arrived, LocalUnit unit) {
    boolean missed = unit.misses(arrived);
    if (missed) {
      log.info("starting {} again: what it needs is here now", unit.name());
      startAgain(unit);
    }
    return missed;
  }

  private void startAgain(LocalUnit unit) {
    unit.startAgain();
    units.touch(unit.name());
  }
}
