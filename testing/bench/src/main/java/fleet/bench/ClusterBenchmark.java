package fleet.bench;

import fleet.bench.figure.Report;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.Machines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Three machines and an etcd: many units against the same machines' systemd alone, one unit, rest,
 * and what a lost machine or fleetd costs.
 */
final class ClusterBenchmark implements Benchmark {

  private static final int MACHINES = 3;

  private final Path fleet;
  private final int rounds;
  private final int units;

  /**
   * A benchmark to be run.
   *
   * @param fleet the folder {@code target/fleet}
   * @param units how many are started at once
   */
  ClusterBenchmark(Path fleet, int rounds, int units) {
    this.fleet = fleet;
    this.rounds = rounds;
    this.units = units;
  }

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String summary() {
    return "%d machines with etcd: %d units against bare systemd; one unit; rest; losses"
        .formatted(MACHINES, units);
  }

  @Override
  public void run(Report report) {
    if (!Files.exists(fleet.resolve(".complete"))) {
      throw new AssertionError(fleet + " is not built: run ./dev dist");
    }
    try (Machines machines = Machines.create(Optional.of(fleet))) {
      var etcd = machines.etcd(EtcdSettings.plain());
      FleetCluster cluster = FleetCluster.withoutWires(machines, etcd, MACHINES);
      cluster.install();
      new ClusterMass(cluster, units).run(rounds, report);
      new ClusterSingles(cluster).run(report);
      new ClusterRest(cluster).run(units, report);
      new ClusterLosses(cluster).run(report);
    }
  }
}
