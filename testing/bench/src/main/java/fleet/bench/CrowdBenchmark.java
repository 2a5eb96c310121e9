package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.CpuTimes;
import fleet.bench.node.ProcessUsage;
import fleet.bench.node.UnitSet;
import fleet.testkit.BootedMachine;
import java.nio.file.Path;

/**
 * The resource usage of fleetd on a machine with many units: while nothing happens, and while units
 * that are not fleet's come and go there all the time. The usage of dbus-daemon then is compared
 * with its usage for the same without a fleetd.
 */
final class CrowdBenchmark implements Benchmark {

  private static final int FOREIGN = 50;
  private static final String SETTLE_SECONDS = "10";
  private static final int WINDOW_SECONDS = 30;

  /** Restarts twice a second. */
  private static final String FOREIGN_UNIT =
      """
      [Unit]
      StartLimitIntervalSec=0
      [Service]
      ExecStart=/bin/sleep 0.3
      Restart=always
      RestartSec=200ms
      """;

  private final Path fleet;
  private final int units;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   * @param units how many run on the machine
   */
  CrowdBenchmark(Path fleet, int units) {
    this.fleet = fleet;
    this.units = units;
  }

  @Override
  public String name() {
    return "crowd";
  }

  @Override
  public String summary() {
    return "%d units on one machine: fleetd at rest, and beside %d foreign units that restart"
        .formatted(units, FOREIGN);
  }

  @Override
  public void run(Report report) {
    try (BenchMachine node = BenchMachine.boot(fleet)) {
      BootedMachine machine = node.machine();
      machine.write(UnitSet.SYSTEMD_DIRECTORY + "/foreign@.service", FOREIGN_UNIT);
      machine.succeed("systemctl", "start", "dbus.service");
      foreign(machine, "start");
      settle(machine);
      CpuTimes alone = CpuTimes.percent(node, WINDOW_SECONDS);
      foreign(machine, "stop");

      node.startFleetd();
      UnitSet set = new UnitSet("crowd", units, "/root/crowd");
      set.writeFiles(machine);
      machine.succeed(set.commandOnFiles("fleetctl", "start"));
      MassRound.checkActive(node, set);
      settle(machine);
      report.add("crowd_rest_cpu_fleetd", CpuTimes.percent(node, WINDOW_SECONDS).fleetd(), "%");
      ProcessUsage usage = node.fleetd();
      report.add("crowd_rest_fleetd_rss_anon", usage.rssAnonMegabytes(), "MB");
      report.add("crowd_rest_fleetd_rss", usage.rssMegabytes(), "MB");

      foreign(machine, "start");
      settle(machine);
      CpuTimes beside = CpuTimes.percent(node, WINDOW_SECONDS);
      double extra = beside.dbusDaemon() - alone.dbusDaemon();
      report.add("crowd_foreign_cpu_fleetd", beside.fleetd(), "%");
      report.add("crowd_foreign_cpu_dbus_extra", extra, "%");
      report.add("crowd_foreign_cpu_fleetd_and_dbus_extra", beside.fleetd() + extra, "%");
      report.add("crowd_foreign_cpu_systemd", beside.systemd(), "%");
      report.add("crowd_foreign_cpu_systemd_alone", alone.systemd(), "%");
    }
  }

  private static void foreign(BootedMachine machine, String command) {
    machine.succeed(
        "sh", "-c", "systemctl %s $(seq -f foreign@%%g %d)".formatted(command, FOREIGN));
  }

  private static void settle(BootedMachine machine) {
    machine.succeed("sleep", SETTLE_SECONDS);
  }
}
