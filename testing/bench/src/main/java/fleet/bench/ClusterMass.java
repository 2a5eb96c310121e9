package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.figure.Samples;
import fleet.bench.node.CommandTiming;
import fleet.bench.node.StartTimes;
import fleet.bench.node.Stopwatch;
import fleet.bench.node.UnitSet;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Many units by one command of fleetctl, and as many by one of systemctl on each machine. */
final class ClusterMass {

  private static final int COLD_ROUNDS = 2;
  private static final String SECONDS = "s";

  private final FleetCluster cluster;
  private final int units;

  ClusterMass(FleetCluster cluster, int units) {
    this.cluster = cluster;
    this.units = units;
  }

  /**
   * The same work done both ways, in seconds since the command was given.
   *
   * @param bare until the last of the machines' systemctl has ended
   * @param running until systemd had the last unit active
   * @param returned until fleetctl has ended
   */
  private record Round(double bare, double running, double returned) {
    double ratio() {
      return returned / bare;
    }
  }

  void run(int rounds, Report report) {
    List<Round> cold = new ArrayList<>();
    for (int round = 1; round <= COLD_ROUNDS; round++) {
      double bare = bare("cold-plain-" + round);
      cluster
          .machines()
          .forEach(one -> one.machine().succeed("systemctl", "restart", "fleet.service"));
      cluster.awaitMembers();
      cold.add(through("cold-fleet-" + round, bare));
    }
    tell("cluster_first", cold, report);
    List<Round> warm = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      warm.add(through("fleet-" + round, bare("plain-" + round)));
    }
    tell("cluster_warm", warm, report);
  }

  private static void tell(String name, List<Round> rounds, Report report) {
    median(name + "_bare_systemd", rounds, Round::bare, SECONDS, report);
    median(name + "_fleet_running", rounds, Round::running, SECONDS, report);
    median(name + "_fleet_returned", rounds, Round::returned, SECONDS, report);
    median(name + "_ratio", rounds, Round::ratio, "ratio", report);
  }

  private static void median(
      String name,
      List<Round> rounds,
      ToDoubleFunction<Round> measured,
      String unit,
      Report report) {
    report.add(name, Samples.of(rounds, measured).median(), unit);
  }

  /** Each machine's systemd starts its share, all at once. */
  private double bare(String name) {
    int machines = cluster.machines().size();
    List<Share> shares = new ArrayList<>();
    for (int i = 0; i < machines; i++) {
      int count = units / machines + (i < units % machines ? 1 : 0);
      var set = new UnitSet(name + "-m" + i, count, UnitSet.SYSTEMD_DIRECTORY);
      set.writeFiles(cluster.machines().get(i).machine());
      shares.add(new Share(cluster.machines().get(i), set));
    }
    List<CommandTiming> timings = shares.parallelStream().map(Share::start).toList();
    long start = timings.stream().mapToLong(CommandTiming::startMicros).min().orElseThrow();
    long end = timings.stream().mapToLong(CommandTiming::endMicros).max().orElseThrow();
    shares.parallelStream().forEach(Share::remove);
    return (end - start) / 1e6;
  }

  private record Share(FleetMachine on, UnitSet set) {
    CommandTiming start() {
      return new Stopwatch(on.machine()).time(set.command("systemctl", "start"));
    }

    void remove() {
      MassRound.checkActive(on.machine(), set);
      on.machine().succeed(set.command("systemctl", "stop"));
      set.deleteFiles(on.machine());
    }
  }

  private Round through(String name, double bare) {
    FleetMachine from = cluster.others(cluster.leader()).getFirst();
    var set = new UnitSet(name, units, "/root/" + name);
    set.writeFiles(from.machine());
    CommandTiming start =
        new Stopwatch(from.machine()).time(set.commandOnFiles("fleetctl", "start"));
    int active = cluster.machines().stream().mapToInt(one -> set.active(one.machine())).sum();
    if (active != units) {
      throw new AssertionError("%d of %d units are active".formatted(active, units));
    }
    long last =
        cluster.machines().stream()
            .mapToLong(one -> StartTimes.of(one.machine(), set).lastMicros())
            .max()
            .orElseThrow();
    from.succeed(set.command("destroy", "--yes"));
    set.deleteFiles(from.machine());
    return new Round(bare, start.secondsTo(last), start.seconds());
  }
}
