package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.CommandTiming;
import fleet.bench.node.UnitSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How long {@code fleetctl} takes as a whole process. Each round runs every command once, {@code
 * /bin/true} among them, so that a busy spell of the machine hits all of them.
 */
final class CliBenchmark implements Benchmark {

  private final Path fleet;
  private final int rounds;
  private final int units;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   * @param units how many there are in the second half
   */
  CliBenchmark(Path fleet, int rounds, int units) {
    this.fleet = fleet;
    this.rounds = rounds;
    this.units = units;
  }

  @Override
  public String name() {
    return "cli";
  }

  @Override
  public String summary() {
    return "whole-process time of fleetctl commands at 0 and %d units, against /bin/true"
        .formatted(units);
  }

  /** A command, and how often it ran. */
  private record Measured(String name, List<String> line, List<CommandTiming> timings) {

    Measured(String name, String... line) {
      this(name, List.of(line), new ArrayList<>());
    }

    static Measured fleetctl(String command, String... arguments) {
      return new Measured(
          command.replace('-', '_'),
          Stream.concat(Stream.of("fleetctl", command), Stream.of(arguments))
              .toArray(String[]::new));
    }

    void measure(BenchMachine node) {
      timings.add(node.stopwatch().time(line.toArray(String[]::new)));
    }

    /** The first one read its files from the disk, and does not count. */
    Samples samples(ToDoubleFunction<CommandTiming> measured) {
      return Samples.of(timings.subList(1, timings.size()), measured);
    }
  }

  @Override
  public void run(Report report) {
    try (BenchMachine node = BenchMachine.boot(fleet)) {
      node.startFleetd();
      measure(node, 0, commands(), report);

      UnitSet set = new UnitSet("cli", units, "/root/units");
      set.writeFiles(node.machine());
      node.stopwatch().time(set.commandOnFiles("fleetctl", "start"));
      List<Measured> commands = new ArrayList<>(commands());
      commands.add(Measured.fleetctl("cat", set.units().getFirst()));
      measure(node, units, commands, report);
    }
  }

  private static List<Measured> commands() {
    return List.of(
        // The least that any program in Java takes.
        new Measured("bare_java", "/opt/fleet/runtime/bin/java", "-XX:+UseSerialGC", "-version"),
        Measured.fleetctl("version"),
        Measured.fleetctl("help"),
        Measured.fleetctl("list-machines"),
        Measured.fleetctl("list-units"),
        Measured.fleetctl("list-unit-files"),
        // As the shell's script does when TAB is pressed.
        new Measured("completion", "fleetctl", "__complete", "status", "cli-00"));
  }

  private void measure(BenchMachine node, int units, List<Measured> commands, Report report) {
    Measured floor = new Measured("true", "/bin/true");
    for (int round = 0; round <= rounds; round++) {
      floor.measure(node);
      commands.forEach(command -> command.measure(node));
    }
    tell("cli_true_at_" + units, floor, report);
    double least = floor.samples(CommandTiming::millis).median();
    for (Measured command : commands) {
      String name = "cli_" + command.name() + "_at_" + units;
      tell(name, command, report);
      report.add(name + "_ratio", command.samples(CommandTiming::millis).median() / least, "ratio");
    }
  }

  private static void tell(String name, Measured command, Report report) {
    Samples wall = command.samples(CommandTiming::millis);
    report.add(name + "_median", wall.median(), "ms");
    report.add(name + "_p95", wall.percentile(95), "ms");
    // Says on a busy machine, too, what the command itself costs.
    Samples cpu = command.samples(timing -> timing.cpuSeconds() * 1e3);
    report.add(name + "_cpu", cpu.median(), "ms");
  }
}
