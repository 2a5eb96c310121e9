package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.CpuTimes;
import fleet.bench.node.ProcessUsage;
import fleet.bench.node.UnitSet;

/** The resource usage of fleetd while units run and nothing happens. */
final class Rest {

  /** After a start, caches are written and the collector runs once more. */
  private static final String SETTLE_SECONDS = "5";

  private static final int REST_SECONDS = 30;

  private final BenchMachine node;

  Rest(BenchMachine node) {
    this.node = node;
  }

  void run(int units, Report report) {
    UnitSet set = new UnitSet("rest", units, "/root/rest");
    set.writeFiles(node.machine());
    node.stopwatch().time(set.commandOnFiles("fleetctl", "start"));
    tellMemory("units_fleetd_after_start", report);
    settle();
    CpuTimes cpu = CpuTimes.percent(node, REST_SECONDS);
    report.add("units_rest_cpu_fleetd", cpu.fleetd(), "%");
    report.add("units_rest_cpu_systemd", cpu.systemd(), "%");
    report.add("units_rest_cpu_dbus", cpu.dbusDaemon(), "%");
    tellMemory("units_fleetd_at_rest", report);
    MassRound.checkActive(node, set);
    node.restartFleetd();
    settle();
    tellMemory("units_fleetd_restarted", report);
    node.stopwatch().time(set.command("fleetctl", "destroy", "--yes"));
  }

  private void tellMemory(String name, Report report) {
    ProcessUsage usage = node.fleetd();
    report.add(name + "_rss_anon", usage.rssAnonMegabytes(), "MB");
    report.add(name + "_rss", usage.rssMegabytes(), "MB");
    report.add(name + "_threads", usage.threads(), "threads");
  }

  private void settle() {
    node.machine().succeed("sleep", SETTLE_SECONDS);
  }
}
