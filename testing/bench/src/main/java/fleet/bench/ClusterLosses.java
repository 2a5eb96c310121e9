package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.UnitSet;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The cost of a machine without power, and of a dead fleetd. */
final class ClusterLosses {

  private static final int UNITS = 30;
  private static final int KILLS = 5;
  private static final int LOSSES = 2;
  private static final double NANOS = 1e9;

  private final FleetCluster cluster;

  ClusterLosses(FleetCluster cluster) {
    this.cluster = cluster;
  }

  void run(Report report) {
    kills("cluster_killed_leader", cluster::leader, report);
    kills("cluster_killed_other", this::other, report);
    losses("default_ttl", report);
    for (FleetMachine one : cluster.machines()) {
      one.set("agent_ttl", "3s").machine().succeed("systemctl", "restart", "fleet.service");
    }
    cluster.awaitMembers();
    losses("ttl3", report);
  }

  private FleetMachine other() {
    return cluster.others(cluster.leader()).getFirst();
  }

  /** From the kill on: until a unit asked for at once, on another machine, runs. */
  private void kills(String name, Supplier<FleetMachine> whom, Report report) {
    List<Double> seconds = new ArrayList<>();
    for (int round = 1; round <= KILLS; round++) {
      FleetMachine killed = whom.get();
      FleetMachine from = cluster.others(killed).getFirst();
      // If it was killed, so that this fleetd has to be back, too.
      from.sleeper("next.service", "MachineID=" + killed.machine().id());
      killed.machine().succeed("kill", "-KILL", killed.pid("fleet.service"));
      long start = System.nanoTime();
      from.succeed("start", "next.service");
      seconds.add((System.nanoTime() - start) / NANOS);
      from.succeed("destroy", "next.service");
      cluster.awaitMembers();
    }
    Samples samples = Samples.of(seconds, Double::doubleValue);
    report.add(name + "_next_unit_runs", samples.median(), "s");
    report.add(name + "_next_unit_runs_max", samples.max(), "s");
  }

  private void losses(String ttl, Report report) {
    losses("cluster_lost_other_" + ttl, this::other, report);
    losses("cluster_lost_leader_" + ttl, cluster::leader, report);
  }

  /** From the cut on: until its units are placed elsewhere, and until they run. */
  private void losses(String name, Supplier<FleetMachine> whom, Report report) {
    List<Double> placed = new ArrayList<>();
    List<Double> running = new ArrayList<>();
    for (int round = 1; round <= LOSSES; round++) {
      var set = new UnitSet("moves", UNITS, "/root/moves");
      FleetMachine first = cluster.machine(1);
      set.writeFiles(first.machine());
      first.succeed(set.commandOnFiles("start"));
      FleetMachine lost = whom.get();
      List<FleetMachine> others = cluster.others(lost);
      lost.losePower();
      long start = System.nanoTime();
      cluster.await("all are placed elsewhere", () -> placedOn(lost) == 0);
      placed.add((System.nanoTime() - start) / NANOS);
      cluster.await(
          "all run elsewhere",
          () -> others.stream().mapToInt(one -> set.active(one.machine())).sum() == UNITS);
      running.add((System.nanoTime() - start) / NANOS);
      cluster.heal();
      cluster.destroyAll();
    }
    report.add(name + "_placed_max", Samples.of(placed, Double::doubleValue).max(), "s");
    report.add(name + "_running_max", Samples.of(running, Double::doubleValue).max(), "s");
  }

  private int placedOn(FleetMachine machine) {
    return cluster.keys("schedule/" + machine.machine().id() + "/").size();
  }
}
