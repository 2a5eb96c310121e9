package fleet.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private static final Pattern TIME = Pattern.compile("\"__MONOTONIC_TIMESTAMP\":\"(\\d+)\"");

  /**
   * One run.
   *
   * @param machine where
   * @param startMicros when systemd said that it had started
   * @param stopMicros when systemd said that it had stopped; empty where it still runs
   */
  public record Run(Machine machine, long startMicros, Optional<Long> stopMicros) {}

  public UnitRuns {
    runs = List.copyOf(runs);
  }

  static UnitRuns of(String unit, List<Machine> machines) {
    var runs = new ArrayList<Run>();
    for (Machine machine : machines) {
      Optional<Long> started = Optional.empty();
      for (String line : machine.journal(unit, STARTED, STOPPED).lines().toList()) {
        long at = time(line);
        if (line.contains(STARTED)) {
          started.ifPresent(start -> runs.add(lost(machine, start)));
          started = Optional.of(at);
        } else {
          started.ifPresent(start -> runs.add(new Run(machine, start, Optional.of(at))));
          started = Optional.empty();
        }
      }
      boolean stillRuns = machine.isUp() && machine.property(unit, "ActiveState").equals("active");
      started.ifPresent(start ->
          runs.add(stillRuns ? new Run(machine, start, Optional.empty()) : lost(machine, start)));
    }
    return new UnitRuns(unit, runs);
  }

  /** It ended with its machine's power, nobody wrote down when: as if at once. */
  private static Run lost(Machine machine, long start) {
    return new Run(machine, start, Optional.of(start));
  }

  private static long time(String line) {
    Matcher found = TIME.matcher(line);
    if (!found.find()) {
      throw new AssertionError("a line of the journal without a time: " + line);
    }
    return Long.parseLong(found.group(1));
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
