package fleet.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a unit ran where, by the journals of the machines: systemd's own account, the same whatever
 * fleet believes. All machines of a set have one monotonic clock, this machine's.
 *
 * @param unit the unit
 * @param runs each run of it, machine by machine
 */
public record UnitRuns(String unit, List<Run> runs) {

  private static final String STARTED = "39f53479d3a045ac8e11786248231fbf";
  private static final String STOPPED = "9d1aaa27d60140bd96365438aad20286";
  private static final Pattern TAKEN = time("__MONOTONIC_TIMESTAMP");
  private static final Pattern TAKEN_BY_CLOCK = time("__REALTIME_TIMESTAMP");
  private static final Pattern TOLD_BY_CLOCK = time("_SOURCE_REALTIME_TIMESTAMP");
  private static final Pattern UNIT = Pattern.compile("\"UNIT\":\"([^\"]+)\"");

  /**
   * One run.
   *
   * @param machine where
   * @param startMicros when systemd said that it had started
   * @param stopMicros when systemd said that it had stopped; empty if it still runs
   */
  public record Run(BootedMachine machine, long startMicros, Optional<Long> stopMicros) {}

  public UnitRuns {
    runs = List.copyOf(runs);
  }

  /** The runs of each of these units. */
  static List<UnitRuns> of(Collection<String> units, List<BootedMachine> machines) {
    var names = new TreeSet<>(units);
    var runs = new ArrayList<Map.Entry<String, Run>>();
    if (!names.isEmpty()) {
      machines.forEach(machine -> runs.addAll(runsOn(machine, names)));
    }
    return names.stream().map(unit -> new UnitRuns(unit, runsOf(unit, runs))).toList();
  }

  private static List<Run> runsOf(String unit, List<Map.Entry<String, Run>> runs) {
    return runs.stream().filter(run -> run.getKey().equals(unit)).map(Map.Entry::getValue).toList();
  }

  private static List<Map.Entry<String, Run>> runsOn(BootedMachine machine, Set<String> units) {
    var runs = new ArrayList<Map.Entry<String, Run>>();
    var started = new TreeMap<String, Long>();
    for (String line : machine.journal(units, STARTED, STOPPED).lines().toList()) {
      String unit = found(UNIT, line);
      long at = told(line);
      Optional<Long> before = Optional.ofNullable(started.remove(unit));
      if (line.contains(STARTED)) {
        before.ifPresent(start -> runs.add(Map.entry(unit, lost(machine, start))));
        started.put(unit, at);
      } else {
        before.ifPresent(
            start -> runs.add(Map.entry(unit, new Run(machine, start, Optional.of(at)))));
      }
    }
    Set<String> active = machine.isUp() && !started.isEmpty() ? machine.active(units) : Set.of();
    started.forEach((unit, start) -> {
      Run run = new Run(machine, start, Optional.empty());
      runs.add(Map.entry(unit, active.contains(unit) ? run : lost(machine, start)));
    });
    return runs;
  }

  private static Pattern time(String field) {
    return Pattern.compile("\"" + field + "\":\"(\\d+)\"");
  }

  /** When systemd said it: a journald that is busy takes an entry later. */
  private static long told(String line) {
    long waited = micros(TAKEN_BY_CLOCK, line) - micros(TOLD_BY_CLOCK, line);
    return micros(TAKEN, line) - waited;
  }

  private static long micros(Pattern time, String line) {
    return Long.parseLong(found(time, line));
  }

  /** It ended with its machine's power, nobody wrote down when: as if at once. */
  private static Run lost(BootedMachine machine, long start) {
    return new Run(machine, start, Optional.of(start));
  }

  private static String found(Pattern pattern, String line) {
    Matcher found = pattern.matcher(line);
    if (!found.find()) {
      throw new AssertionError("a line of the journal without %s: %s".formatted(pattern, line));
    }
    return found.group(1);
  }

  /** How often it was started on one machine. */
  public long startsOn(FleetMachine machine) {
    return runs.stream().filter(run -> run.machine().equals(machine.machine())).count();
  }

  /** Pairs of runs at the same time on two machines. */
  public List<List<Run>> overlaps() {
    var found = new ArrayList<List<Run>>();
    for (Run one : runs) {
      for (Run other : runs) {
        boolean otherMachine = !one.machine().equals(other.machine());
        boolean within =
            one.startMicros() <= other.startMicros()
                && one.stopMicros().map(stop -> stop > other.startMicros()).orElse(true);
        if (otherMachine && within) {
          found.add(List.of(one, other));
        }
      }
    }
    return found;
  }
}
