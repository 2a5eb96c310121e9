package fleet.bench.scale;

import fleet.bench.figure.Figure;
import fleet.bench.node.ProcessUsage;
import fleet.testkit.Etcd;
import fleet.testkit.EtcdMetrics;
import fleet.testkit.EtcdSettings;
import fleet.testkit.FleetCluster;
import fleet.testkit.FleetMachine;
import fleet.testkit.Machines;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One cluster of one size: all units submitted, rest, machines lost, the leader lost. */
public final class ScaleRun {

  private static final int PORT = 49154;

  /** So many machines are lost at once, or half of all: no storm brake keeps them. */
  private static final int MANY = 250;

  /** The fleetds that can lead. */
  private static final int SERVERS = 2;

  private static final String CPU = "process_cpu_seconds_total";

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Path fleet;
  private final int machines;
  private final int units;
  private final BenchTransport transport;
  private final Duration ttl;
  private final Duration rest;
  private final Consumer<Figure> figures;

  /**
   * @param transport how machines talk to the leader
   * @param ttl for how long a machine may be silent
   * @param rest for how long it is looked at what rest takes, and before that nothing is done for
   *     as long; whole seconds
   * @param figures told each as soon as it is known
   */
  public ScaleRun(
      Path fleet,
      int machines,
      int units,
      BenchTransport transport,
      Duration ttl,
      Duration rest,
      Consumer<Figure> figures) {
    this.fleet = fleet;
    this.machines = machines;
    this.units = units;
    this.transport = transport;
    this.ttl = ttl;
    this.rest = rest;
    this.figures = figures;
  }

  /** Measures, and tells the figures. */
  public void run() {
    try (Machines booted = Machines.create(Optional.of(fleet))) {
      Etcd etcd = booted.etcd(EtcdSettings.plain());
      FleetCluster cluster =
          FleetCluster.withoutWires(
              booted,
              etcd,
              SERVERS,
              "api_listen=0.0.0.0:" + PORT,
              "insecure_tcp=true",
              "storm_percent=100",
              "agent_ttl=" + ttl.toSeconds() + "s");
      cluster.machines().forEach(transport::configure);
      cluster.install();
      try (HollowMachines hollow = HollowMachines.prepare(machines, ttl, transport.to(cluster))) {
        enrol(hollow);
        long start = System.nanoTime();
        hollow.start();
        FleetMachine leader = cluster.leader();
        InetSocketAddress api = api(leader);
        long joined =
            Census.await(
                api,
                PATIENCE,
                machines + " machines join",
                now -> now.machines() == machines + SERVERS);
        tell("joined", (joined - start) / 1e9, "s");
        submit(leader, etcd, hollow);
        rest(leader, etcd);
        list(cluster, leader);
        lose(hollow, api, 1, machines - 1);
        int many = Math.min(MANY, machines / 2);
        lose(hollow, api, many, machines - 1 - many);
        loseLeader(cluster, leader, machines - 1 - many);
      }
    }
  }

  private void enrol(HollowMachines hollow) {
    if (transport == BenchTransport.TLS) {
      long start = System.nanoTime();
      hollow.enrol();
      tell("enrolled", (System.nanoTime() - start) / 1e9, "s");
    }
  }

  private static InetSocketAddress api(FleetMachine machine) {
    return new InetSocketAddress(machine.machine().address(), PORT);
  }

  private void submit(FleetMachine leader, Etcd etcd, HollowMachines hollow) {
    var submission = new Submission(api(leader), new ScaleUnits(units, machines));
    EtcdMetrics etcdBefore = etcd.metrics();
    ProcessUsage before = usage(leader);
    ProcessUsage hollowBefore = hollow.usage();
    long start = System.nanoTime();
    submission.run();
    long submitted = System.nanoTime();
    tell("submitted", (submitted - start) / 1e9, "s");
    long all =
        Census.await(api(leader), PATIENCE, "all units are active", now -> now.active() == units);
    double seconds = (all - start) / 1e9;
    ProcessUsage after = usage(leader);
    EtcdMetrics etcdAfter = etcd.metrics();
    tell("all_running", seconds, "s");
    tell("placements", units / seconds, "/s");
    tell("leader_cpu_all_running", after.cpuSeconds() - before.cpuSeconds(), "s");
    tell("hollow_cpu_all_running", hollow.usage().cpuSeconds() - hollowBefore.cpuSeconds(), "s");
    tell("etcd_cpu_all_running", etcdAfter.value(CPU) - etcdBefore.value(CPU), "s");
    tell("leader_memory_all_running", after.rssMegabytes(), "MB");
    tell("etcd_writes_per_unit", EtcdWrites.between(etcdBefore, etcdAfter) / units, "writes");
    tell("etcd_bytes_per_unit", EtcdWrites.bytesBetween(etcdBefore, etcdAfter) / units, "B");
  }

  private void rest(FleetMachine leader, Etcd etcd) {
    leader.machine().succeed("sleep", String.valueOf(rest.toSeconds()));
    EtcdMetrics etcdBefore = etcd.metrics();
    ProcessUsage before = usage(leader);
    long traffic = Traffic.of(leader.machine());
    long start = System.nanoTime();
    leader.machine().succeed("sleep", String.valueOf(rest.toSeconds()));
    double seconds = (System.nanoTime() - start) / 1e9;
    ProcessUsage after = usage(leader);
    tell("etcd_writes_at_rest", EtcdWrites.between(etcdBefore, etcd.metrics()) / seconds, "/s");
    tell("leader_memory", after.rssMegabytes(), "MB");
    tell("leader_cpu_at_rest", 100 * (after.cpuSeconds() - before.cpuSeconds()) / seconds, "%");
    tell(
        "agent_traffic_at_rest",
        (Traffic.of(leader.machine()) - traffic) / seconds / machines,
        "B/s");
  }

  private void list(FleetCluster cluster, FleetMachine leader) {
    FleetMachine other = cluster.others(leader).getFirst();
    tell("states_listed_by_leader", new StateListing(api(leader)).seconds(), "s");
    tell("states_listed_by_other", new StateListing(api(other)).seconds(), "s");
    ListingCosts costs = new ListingCosts(api(leader), () -> usage(leader).cpuSeconds());
    tell("leader_cpu_list_units", costs.ofListUnits(), "s");
    tell("leader_cpu_dashboard", costs.ofDashboard(), "s");
    tell("dashboard_to_list_units", costs.ofDashboard() / costs.ofListUnits(), "ratio");
  }

  private void lose(HollowMachines hollow, InetSocketAddress api, int count, int left) {
    long start = System.nanoTime();
    hollow.lose(count);
    long moved =
        Census.await(
            api,
            PATIENCE,
            "the units of %d lost machines run elsewhere".formatted(count),
            now -> now.machines() == left + SERVERS && now.active() == units);
    tell("moved_from_%d_lost".formatted(count), (moved - start) / 1e9, "s");
  }

  /** Its fleetd dies and stays away; the clock runs from then on. */
  private void loseLeader(FleetCluster cluster, FleetMachine leader, int left) {
    FleetMachine next = cluster.others(leader).getFirst();
    InetSocketAddress api = api(next);
    leader.dropIn("no-restart.conf", "[Service]\nRestart=no\n");
    String pid = leader.pid("fleet.service");
    long start = System.nanoTime();
    leader.machine().succeed("kill", "-KILL", pid);
    long placed = new NextUnit(api).awaitPlaced(PATIENCE);
    tell("placed_after_leader_lost", (placed - start) / 1e9, "s");
    long informed =
        Census.await(
            api,
            PATIENCE,
            "the new leader knows of all",
            now -> now.machines() > left && now.active() > units);
    tell("new_leader_informed", (informed - start) / 1e9, "s");
  }

  private static ProcessUsage usage(FleetMachine machine) {
    return ProcessUsage.of(machine.machine(), machine.pid("fleet.service"));
  }

  private void tell(String name, double value, String unit) {
    figures.accept(new Figure(name, value, unit));
  }
}
