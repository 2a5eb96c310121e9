package fleet.bench.node;

/**
 * Seconds of processor time, by who used them.
 *
 * @param systemd the machine's PID 1
 */
public record CpuTimes(double systemd, double dbusDaemon, double fleetd) {

  /** All of it since those processes began. */
  public static CpuTimes of(Node node) {
    return new CpuTimes(
        node.systemd().cpuSeconds(), node.dbusDaemon().cpuSeconds(), node.fleetd().cpuSeconds());
  }

  /** What came between. */
  public CpuTimes minus(CpuTimes before) {
    return new CpuTimes(
        systemd - before.systemd, dbusDaemon - before.dbusDaemon, fleetd - before.fleetd);
  }
}
