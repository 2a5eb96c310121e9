package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.CommandTiming;
import fleet.bench.node.StartTimes;
import fleet.bench.node.Stopwatch;
import fleet.bench.node.UnitSet;
import fleet.testkit.EtcdMetrics;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One unit at a time, from a machine that does not lead: when its place is told, when it is over.
 */
final class ClusterSingles {

  private static final int ROUNDS = 20;

  private final FleetCluster cluster;

  ClusterSingles(FleetCluster cluster) {
    this.cluster = cluster;
  }

  private record Single(double placePrinted, double returnedAfterActive, double returned) {}

  void run(Report report) {
    FleetMachine from = cluster.others(cluster.leader()).getFirst();
    List<Single> singles = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      singles.add(one(from, round));
    }
    Samples placed = Samples.of(singles, Single::placePrinted);
    Samples returned = Samples.of(singles, Single::returnedAfterActive);
    report.add("cluster_one_place_printed", placed.median(), "s");
    report.add("cluster_one_place_printed_max", placed.max(), "s");
    report.add("cluster_one_returned_after_active", returned.median(), "s");
    report.add("cluster_one_returned_after_active_max", returned.max(), "s");
    report.add("cluster_one_returned", Samples.of(singles, Single::returned).median(), "s");
    tellRequests(from, report);
  }

  private Single one(FleetMachine from, int round) {
    var unit = new UnitSet("one-" + round, 1, "/root/one-" + round);
    unit.writeFiles(from.machine());
    CommandTiming timing =
        new Stopwatch(from.machine()).timeLines(unit.commandOnFiles("fleetctl", "start"));
    CommandTiming.Line place =
        timing
            .first(line -> line.contains(" on "))
            .orElseThrow(() -> new AssertionError("no line says where it is: " + timing.lines()));
    FleetMachine on = cluster.awaitRunning(unit.units().getFirst());
    double active = timing.secondsTo(StartTimes.of(on.machine(), unit).lastMicros());
    from.succeed(unit.command("destroy", "--yes"));
    return new Single(
        timing.secondsTo(place.micros()), timing.seconds() - active, timing.seconds());
  }

  private void tellRequests(FleetMachine from, Report report) {
    var unit = new UnitSet("counted", 1, "/root/counted");
    unit.writeFiles(from.machine());
    // Units that were destroyed a moment ago are still being tidied up.
    from.machine().succeed("sleep", "3");
    EtcdMetrics before = cluster.etcd().metrics();
    from.succeed(unit.commandOnFiles("start"));
    from.machine().succeed("sleep", "2");
    Map<String, Long> requests = cluster.etcd().metrics().requestsSince(before);
    from.succeed(unit.command("destroy", "--yes"));
    long sum =
        requests.entrySet().stream()
            .filter(entry -> !entry.getKey().equals("LeaseKeepAlive"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    report.add("cluster_one_etcd_requests", (double) sum, "requests");
  }
}
