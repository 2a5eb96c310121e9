package fleet.bench.node;

import fleet.testkit.BootedMachine;
import fleet.testkit.Machines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A real machine with {@code target/fleet} on it and fleetd running. For one thread. */
public final class BenchMachine implements AutoCloseable {

  private static final String SERVICE = "fleet.service";

  private final Machines machines;
  private final BootedMachine machine;
  private final Stopwatch stopwatch;

  private BenchMachine(Machines machines) {
    this.machines = machines;
    this.machine = machines.boot();
    this.stopwatch = new Stopwatch(machine);
  }

  /**
   * Boots one. Closing it removes it.
   *
   * @param fleet the folder {@code target/fleet}
   * @throws AssertionError if fleet is not built, or does not start
   */
  public static BenchMachine boot(Path fleet) {
    if (!Files.exists(fleet.resolve(".complete"))) {
      throw new AssertionError(fleet + " is not built: run ./dev dist");
    }
    Machines machines = Machines.create(Optional.of(fleet));
    try {
      BenchMachine node = new BenchMachine(machines);
      node.machine.succeed("systemctl", "link", folder(SERVICE), folder("fleet.socket"));
      return node;
    } catch (AssertionError | RuntimeException e) {
      machines.close();
      throw e;
    }
  }

  private static String folder(String file) {
    return "/opt/fleet/systemd/" + file;
  }

  public BootedMachine machine() {
    return machine;
  }

  public Stopwatch stopwatch() {
    return stopwatch;
  }

  /** Starts fleetd, and tells how long it took until it said that it is ready. */
  public CommandTiming startFleetd() {
    machine.succeed("systemctl", "start", "fleet.socket");
    try {
      return stopwatch.time("systemctl", "start", SERVICE);
    } catch (AssertionError e) {
      throw new AssertionError("fleetd does not start:\n" + log(), e);
    }
  }

  private String log() {
    return machine.run("journalctl", "--unit", SERVICE, "--no-pager", "--output=cat").stdout();
  }

  /** Has fleetd ended and started again: its compiled code and its caches are cold. */
  public void restartFleetd() {
    machine.succeed("systemctl", "reset-failed", SERVICE);
    machine.succeed("systemctl", "restart", SERVICE);
  }

  boolean runsFleetd() {
    return !pid(SERVICE).equals("0");
  }

  public ProcessUsage fleetd() {
    return ProcessUsage.of(machine, pid(SERVICE));
  }

  /** The machine's PID 1. */
  public ProcessUsage systemd() {
    return ProcessUsage.of(machine, "1");
  }

  public ProcessUsage dbusDaemon() {
    return ProcessUsage.of(machine, pid("dbus.service"));
  }

  private String pid(String service) {
    return machine.property(service, "MainPID");
  }

  @Override
  public void close() {
    machines.close();
  }
}
