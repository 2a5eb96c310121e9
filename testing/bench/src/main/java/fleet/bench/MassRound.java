package fleet.bench;

import fleet.bench.node.BenchMachine;
import fleet.bench.node.CommandTiming;
import fleet.bench.node.CpuTimes;
import fleet.bench.node.StartTimes;
import fleet.bench.node.Stopwatch;
import fleet.bench.node.UnitSet;
import fleet.testkit.BootedMachine;
import java.util.Optional;

/** The same number of units through systemctl and through fleet, one after the other. */
record MassRound(Course systemctl, Course fleet) {

  /**
   * One way of starting, stopping and removing a set of units.
   *
   * @param submit storing them in the cluster, if that was a command of its own
   * @param start one command, which ends when all are active
   * @param systemd the part of it in which systemd was starting them
   * @param cpu what it took of the processor, by process
   * @param destroy removing them from the cluster, if there is one
   */
  record Course(
      Optional<CommandTiming> submit,
      CommandTiming start,
      StartTimes systemd,
      CpuTimes cpu,
      CommandTiming stop,
      Optional<CommandTiming> destroy) {}

  /** How much longer fleet took. */
  double startRatio() {
    return fleet.start().seconds() / systemctl.start().seconds();
  }

  double stopRatio() {
    return fleet.stop().seconds() / systemctl.stop().seconds();
  }

  static Course systemctl(BenchMachine node, UnitSet units) {
    BootedMachine machine = node.machine();
    Stopwatch stopwatch = node.stopwatch();
    units.writeFiles(machine);
    CpuTimes before = CpuTimes.of(node);
    CommandTiming start = stopwatch.time(units.command("systemctl", "start"));
    CpuTimes cpu = CpuTimes.of(node).minus(before);
    checkActive(node, units);
    StartTimes systemd = StartTimes.of(machine, units);
    CommandTiming stop = stopwatch.time(units.command("systemctl", "stop"));
    units.deleteFiles(machine);
    return new Course(Optional.empty(), start, systemd, cpu, stop, Optional.empty());
  }

  /**
   * Runs units through fleet.
   *
   * @param submitFirst whether they are stored by a command of their own, or by the one that starts
   *     them
   */
  static Course fleet(BenchMachine node, UnitSet units, boolean submitFirst) {
    Stopwatch stopwatch = node.stopwatch();
    units.writeFiles(node.machine());
    Optional<CommandTiming> submit =
        submitFirst
            ? Optional.of(stopwatch.time(units.commandOnFiles("fleetctl", "submit")))
            : Optional.empty();
    CpuTimes before = CpuTimes.of(node);
    CommandTiming start =
        stopwatch.time(
            submitFirst
                ? units.command("fleetctl", "start")
                : units.commandOnFiles("fleetctl", "start"));
    CpuTimes cpu = CpuTimes.of(node).minus(before);
    checkActive(node, units);
    StartTimes systemd = StartTimes.of(node.machine(), units);
    CommandTiming stop = stopwatch.time(units.command("fleetctl", "stop"));
    CommandTiming destroy = stopwatch.time(units.command("fleetctl", "destroy", "--yes"));
    check("known to systemd after destroy", 0, units.known(node.machine()), units);
    units.deleteFiles(node.machine());
    return new Course(submit, start, systemd, cpu, stop, Optional.of(destroy));
  }

  /** A command that returns too early would make a fine figure. */
  static void checkActive(BenchMachine node, UnitSet units) {
    checkActive(node.machine(), units);
  }

  static void checkActive(BootedMachine machine, UnitSet units) {
    check("active", units.count(), units.active(machine), units);
  }

  private static void check(String what, int expected, int actual, UnitSet units) {
    if (actual != expected) {
      throw new AssertionError(
          "%d of the units %s are %s, not %d".formatted(actual, units.name(), what, expected));
    }
  }
}
