package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.CommandTiming;
import fleet.bench.node.StartTimes;
import fleet.bench.node.UnitSet;
import java.util.ArrayList;
import java.util.List;

/** One new unit at a time, through fleet and through systemctl in turns. */
final class SingleStarts {

  private final BenchMachine node;
  private final int rounds;

  /** When one unit was asked for, placed (if fleet did it), active, and the command ended. */
  private record Start(double placePrinted, double active, double returned) {

    double returnedAfterActive() {
      return returned - active;
    }
  }

  SingleStarts(BenchMachine node, int rounds) {
    this.node = node;
    this.rounds = rounds;
  }

  void run(Report report) {
    List<Start> systemctl = new ArrayList<>();
    List<Start> fleet = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      systemctl.add(throughSystemctl(round));
      fleet.add(throughFleet(round));
    }
    tell("one_systemctl", systemctl, report);
    tell("one_fleet", fleet, report);
    Samples placed = Samples.of(fleet, Start::placePrinted);
    report.add("one_fleet_place_printed", placed.median(), "s");
    report.add("one_fleet_place_printed_max", placed.max(), "s");
    report.add(
        "one_fleet_added_after_active",
        Samples.of(fleet, Start::returnedAfterActive).median()
            - Samples.of(systemctl, Start::returnedAfterActive).median(),
        "s");
  }

  private static void tell(String name, List<Start> starts, Report report) {
    report.add(name + "_active", Samples.of(starts, Start::active).median(), "s");
    report.add(name + "_returned", Samples.of(starts, Start::returned).median(), "s");
    report.add(
        name + "_returned_after_active",
        Samples.of(starts, Start::returnedAfterActive).median(),
        "s");
  }

  private Start throughSystemctl(int round) {
    UnitSet unit = new UnitSet("one-plain-" + round, 1, UnitSet.SYSTEMD_DIRECTORY);
    unit.writeFiles(node.machine());
    CommandTiming timing = node.stopwatch().timeLines(unit.command("systemctl", "start"));
    Start start = new Start(0, activeIn(unit, timing), timing.seconds());
    node.machine().run(unit.command("systemctl", "stop")).orThrow();
    unit.deleteFiles(node.machine());
    return start;
  }

  private Start throughFleet(int round) {
    UnitSet unit = new UnitSet("one-fleet-" + round, 1, "/root/one-" + round);
    unit.writeFiles(node.machine());
    CommandTiming timing = node.stopwatch().timeLines(unit.commandOnFiles("fleetctl", "start"));
    CommandTiming.Line place =
        timing
            .first(line -> line.contains(" on "))
            .orElseThrow(() -> new AssertionError("no line says where it is: " + timing.lines()));
    Start start =
        new Start(timing.secondsTo(place.micros()), activeIn(unit, timing), timing.seconds());
    node.machine().run(unit.command("fleetctl", "destroy", "--yes")).orThrow();
    return start;
  }

  private double activeIn(UnitSet unit, CommandTiming timing) {
    return timing.secondsTo(StartTimes.of(node.machine(), unit).lastMicros());
  }
}
