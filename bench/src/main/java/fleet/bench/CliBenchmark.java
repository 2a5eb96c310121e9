package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.Node;
import fleet.bench.node.UnitSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  /** A command, and the milliseconds that it took. */
  private record Measured(String name, List<String> line, List<Double> millis) {

    static Measured fleetctl(String... arguments) {
      return new Measured(
          arguments[0].replace('-', '_'),
          Stream.concat(Stream.of("fleetctl"), Stream.of(arguments)).toList(),
          new ArrayList<>());
    }

    void measure(Node node) {
      millis.add(node.stopwatch().time(line.toArray(String[]::new)).millis());
    }

    /** The first one read its files from the disk, and does not count. */
    Samples samples() {
      return Samples.of(millis.subList(1, millis.size()), Double::doubleValue);
    }
  }

  @Override
  public void run(Report report) {
    try (Node node = Node.boot(fleet)) {
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
    return Stream.of("version", "help", "list-machines", "list-units", "list-unit-files")
        .map(Measured::fleetctl)
        .toList();
  }

  private void measure(Node node, int units, List<Measured> commands, Report report) {
    Measured floor = new Measured("true", List.of("/bin/true"), new ArrayList<>());
    for (int round = 0; round <= rounds; round++) {
      floor.measure(node);
      commands.forEach(command -> command.measure(node));
    }
    tell("cli_true_at_" + units, floor.samples(), report);
    for (Measured command : commands) {
      String name = "cli_" + command.name() + "_at_" + units;
      tell(name, command.samples(), report);
      double ratio = command.samples().median() / floor.samples().median();
      report.add(name + "_ratio", ratio, "ratio");
    }
  }

  private static void tell(String name, Samples millis, Report report) {
    report.add(name + "_median", millis.median(), "ms");
    report.add(name + "_p95", millis.percentile(95), "ms");
  }
}
