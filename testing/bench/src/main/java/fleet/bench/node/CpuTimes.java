package fleet.bench.node;

/**
 * Processor time, by who used it.
 *
 * @param systemd the machine's PID 1
 */
public record CpuTimes(double systemd, double dbusDaemon, double fleetd) {

  /** The load of so many seconds in which others do what they do, in percent of a core. */
  public static CpuTimes percent(BenchMachine node, int seconds) {
    CpuTimes before = of(node);
    long start = System.nanoTime();
    node.machine().succeed("sleep", Integer.toString(seconds));
    CpuTimes used = of(node).minus(before);
    double percent = 100 / ((System.nanoTime() - start) / 1e9);
    return new CpuTimes(used.systemd * percent, used.dbusDaemon * percent, used.fleetd * percent);
  }

  /** In seconds since those processes began; none of fleetd if it does not run. */
  public static CpuTimes of(BenchMachine node) {
    return new CpuTimes(
        node.systemd().cpuSeconds(),
        node.dbusDaemon().cpuSeconds(),
        node.runsFleetd() ? node.fleetd().cpuSeconds() : 0);
  }

  /** The time since {@code before}. */
  public CpuTimes minus(CpuTimes before) {
    return new CpuTimes(
        systemd - before.systemd, dbusDaemon - before.dbusDaemon, fleetd - before.fleetd);
  }
}
