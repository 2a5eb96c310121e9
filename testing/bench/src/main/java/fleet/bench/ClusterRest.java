package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.ProcessUsage;
import fleet.bench.node.Stopwatch;
import fleet.bench.node.UnitSet;
import fleet.testkit.EtcdMetrics;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The load of fleetds and etcd while many units run and nothing happens. */
final class ClusterRest {

  /** By then a fleetd has given back what its work took. */
  private static final Duration SETTLES = Duration.ofSeconds(100);

  private static final Duration RESTS = Duration.ofSeconds(30);

  private final FleetCluster cluster;

  ClusterRest(FleetCluster cluster) {
    this.cluster = cluster;
  }

  void run(int units, Report report) {
    FleetMachine first = cluster.machine(1);
    var set = new UnitSet("rest", units, "/root/rest");
    set.writeFiles(first.machine());
    new Stopwatch(first.machine()).time(set.commandOnFiles("fleetctl", "start"));
    pass(first, SETTLES);

    EtcdMetrics etcd = cluster.etcd().metrics();
    Map<FleetMachine, ProcessUsage> before = usage();
    long start = System.nanoTime();
    pass(first, RESTS);
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<FleetMachine, ProcessUsage> after = usage();
    EtcdMetrics etcdAfter = cluster.etcd().metrics();

    tellEtcd(etcdAfter.requestsSince(etcd), seconds, report);
    FleetMachine leader = cluster.leader();
    List<FleetMachine> others = cluster.others(leader);
    report.add("cluster_rest_cpu_leader", percent(before, after, leader, seconds), "%");
    report.add(
        "cluster_rest_cpu_others_max",
        Samples.of(others, one -> percent(before, after, one, seconds)).max(),
        "%");
    tellMemory("leader", List.of(leader), after, report);
    tellMemory("others", others, after, report);
    first.succeed(set.command("destroy", "--yes"));
  }

  private static void pass(FleetMachine machine, Duration time) {
    machine.machine().succeed("sleep", time.toSeconds() + "");
  }

  private static void tellEtcd(Map<String, Long> requests, double seconds, Report report) {
    long renewals = requests.getOrDefault("LeaseKeepAlive", 0L);
    long all = requests.values().stream().mapToLong(Long::longValue).sum();
    long writes =
        requests.entrySet().stream()
            .filter(entry -> List.of("Put", "Txn", "DeleteRange").contains(entry.getKey()))
            .mapToLong(Map.Entry::getValue)
            .sum();
    report.add("cluster_rest_etcd_renewals", renewals / seconds, "requests/s");
    report.add("cluster_rest_etcd_writes", writes / seconds, "requests/s");
    report.add("cluster_rest_etcd_other", (all - writes - renewals) / seconds, "requests/s");
  }

  private static double percent(
      Map<FleetMachine, ProcessUsage> before,
      Map<FleetMachine, ProcessUsage> after,
      FleetMachine machine,
      double seconds) {
    return 100 * (used(after, machine).cpuSeconds() - used(before, machine).cpuSeconds()) / seconds;
  }

  private static ProcessUsage used(Map<FleetMachine, ProcessUsage> usage, FleetMachine machine) {
    ProcessUsage used = usage.get(machine);
    if (used == null) {
      throw new AssertionError("not measured: " + machine);
    }
    return used;
  }

  private static void tellMemory(
      String name,
      List<FleetMachine> machines,
      Map<FleetMachine, ProcessUsage> usage,
      Report report) {
    report.add(
        "cluster_rest_" + name + "_rss_anon",
        Samples.of(machines, one -> used(usage, one).rssAnonMegabytes()).max(),
        "MB");
    report.add(
        "cluster_rest_" + name + "_rss",
        Samples.of(machines, one -> used(usage, one).rssMegabytes()).max(),
        "MB");
  }

  private Map<FleetMachine, ProcessUsage> usage() {
    return cluster.machines().stream()
        .collect(
            Collectors.toMap(
                one -> one, one -> ProcessUsage.of(one.machine(), one.pid("fleet.service"))));
  }
}
