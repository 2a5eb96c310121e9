package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.node.CpuTimes;
import fleet.bench.node.Node;
import fleet.bench.node.ProcessUsage;
import fleet.bench.node.UnitSet;
import java.time.Duration;

/** What fleetd uses while units run and nothing happens. */
final class Rest {

  /** After a start, caches are written and the collector runs once more. */
  private static final Duration SETTLE = Duration.ofSeconds(5);

  private static final Duration REST = Duration.ofSeconds(30);

  private final Node node;

  Rest(Node node) {
    this.node = node;
  }

  void run(int units, Report report) {
    UnitSet set = new UnitSet("rest", units, "/root/rest");
    set.writeFiles(node.machine());
    node.stopwatch().time(set.commandOnFiles("fleetctl", "start"));
    tellMemory("units_fleetd_after_start", report);
    pass(SETTLE);
    CpuTimes before = CpuTimes.of(node);
    long start = System.nanoTime();
    pass(REST);
    CpuTimes cpu = CpuTimes.of(node).minus(before);
    double percent = 100 / ((System.nanoTime() - start) / 1e9);
    report.add("units_rest_cpu_fleetd", cpu.fleetd() * percent, "%");
    report.add("units_rest_cpu_systemd", cpu.systemd() * percent, "%");
    report.add("units_rest_cpu_dbus", cpu.dbusDaemon() * percent, "%");
    tellMemory("units_fleetd_at_rest", report);
    MassRound.checkActive(node, set);
    node.restartFleetd();
    pass(SETTLE);
    tellMemory("units_fleetd_restarted", report);
    node.stopwatch().time(set.command("fleetctl", "destroy"));
  }

  private void tellMemory(String name, Report report) {
    ProcessUsage usage = node.fleetd();
    report.add(name + "_rss_anon", usage.rssAnonMegabytes(), "MB");
    report.add(name + "_rss", usage.rssMegabytes(), "MB");
    report.add(name + "_threads", usage.threads(), "threads");
  }

  /** Time that passes is what is measured here: there is nothing to wait for. */
  private static void pass(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nothing was to happen", e);
    }
  }
}
