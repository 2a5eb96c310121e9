package fleet.chaos;

import fleet.testkit.UnitRuns;
import java.util.List;

/**
 * One run of a unit, as a machine's journal tells it.
 *
 * @param unit the unit
 * @param machine the machine's name
 * @param startMicros when systemd said that it had started
 * @param stopMicros when systemd said that it had stopped; meaningless unless it had
 * @param end how it came to its end
 */
record UnitRun(String unit, String machine, long startMicros, long stopMicros, End end) {

  enum End {
    /** systemd said when. */
    STOPPED,
    /** It ended with its machine's power, or by itself; nobody said when. */
    UNKNOWN,
    /** It still runs. */
    NONE
  }

  static List<UnitRun> all(List<UnitRuns> units) {
    return units.stream()
        .flatMap(unit -> unit.runs().stream().map(run -> of(unit.unit(), run)))
        .toList();
  }

  private static UnitRun of(String unit, UnitRuns.Run run) {
    long start = run.startMicros();
    long stop = run.stopMicros().orElse(start);
    End end = run.stopMicros().isEmpty() ? End.NONE : stop == start ? End.UNKNOWN : End.STOPPED;
    return new UnitRun(unit, run.machine().name(), start, stop, end);
  }

  /** The longest time for which it may have run. */
  Span atMost() {
    return new Span(startMicros, end == End.STOPPED ? stopMicros : Long.MAX_VALUE);
  }

  /** The time for which it ran for certain. */
  Span atLeast() {
    return new Span(startMicros, end == End.NONE ? Long.MAX_VALUE : stopMicros);
  }

  boolean isRunning() {
    return end == End.NONE;
  }
}
