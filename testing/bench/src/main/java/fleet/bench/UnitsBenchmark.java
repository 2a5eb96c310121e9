package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.node.BenchMachine;
import fleet.bench.node.UnitSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Many plain services through fleet, against as many through {@code systemctl}, on one machine and
 * in turns: the ratio is what fleet adds to systemd's own work. Besides, what fleetd uses with all
 * of them running, and the time of a single one.
 */
final class UnitsBenchmark implements Benchmark {

  private static final int COLD_ROUNDS = 5;
  private static final int SINGLE_ROUNDS = 20;

  private final Path fleet;
  private final int rounds;
  private final int units;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   * @param units how many are started at once
   */
  UnitsBenchmark(Path fleet, int rounds, int units) {
    this.fleet = fleet;
    this.rounds = rounds;
    this.units = units;
  }

  @Override
  public String name() {
    return "units";
  }

  @Override
  public String summary() {
    return "%d units through fleet, against as many through systemctl; fleetd's use; one unit"
        .formatted(units);
  }

  @Override
  public void run(Report report) {
    try (BenchMachine node = BenchMachine.boot(fleet)) {
      report.add("units_fleetd_ready", node.startFleetd().seconds(), "s");
      MassFigures figures = new MassFigures(report);
      figures.tellCold(cold(node));
      figures.tell(warm(node));
      new Rest(node).run(units, report);
      new SingleStarts(node, SINGLE_ROUNDS).run(report);
    }
  }

  /** With a fleetd that has just been started, as in the first minute of a machine. */
  private List<MassRound> cold(BenchMachine node) {
    List<MassRound> done = new ArrayList<>();
    for (int round = 1; round <= COLD_ROUNDS; round++) {
      MassRound.Course systemctl = MassRound.systemctl(node, plain("cold-plain-" + round));
      node.restartFleetd();
      done.add(new MassRound(systemctl, MassRound.fleet(node, own("cold-fleet-" + round), false)));
    }
    return done;
  }

  private MassFigures.Warm warm(BenchMachine node) {
    List<MassRound> fromFiles = new ArrayList<>();
    List<MassRound> submitted = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      // Later runs find warmer caches: the order changes from round to round.
      boolean fleetFirst = round % 2 == 0;
      var before = fleetFirst ? fleet(node, round, false) : systemctl(node, round);
      var between = fleet(node, round, true);
      var after = fleetFirst ? systemctl(node, round) : fleet(node, round, false);
      var systemctl = fleetFirst ? after : before;
      fromFiles.add(new MassRound(systemctl, fleetFirst ? before : after));
      submitted.add(new MassRound(systemctl, between));
    }
    return new MassFigures.Warm(fromFiles, submitted);
  }

  private MassRound.Course fleet(BenchMachine node, int round, boolean submitFirst) {
    String name = submitFirst ? "submitted-" : "fleet-";
    return MassRound.fleet(node, own(name + round), submitFirst);
  }

  private MassRound.Course systemctl(BenchMachine node, int round) {
    return MassRound.systemctl(node, plain("plain-" + round));
  }

  private UnitSet plain(String name) {
    return new UnitSet(name, units, UnitSet.SYSTEMD_DIRECTORY);
  }

  private UnitSet own(String name) {
    return new UnitSet(name, units, "/root/" + name);
  }
}
