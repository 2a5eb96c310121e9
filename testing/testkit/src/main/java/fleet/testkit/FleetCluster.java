package fleet.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Machines with fleet whose registry is one etcd, each over a wire of its own. Machine N has the
 * metadata {@code number=N}. What it tells of units comes from systemd on each machine.
 */
public final class FleetCluster {

  /** Root, as events and reasons name it: with its machine if another one led. */
  public static final String ROOT = "user root( on \\S+)?";

  private static final String PREFIX = "/_coreos.com/fleet/";
  private static final Pattern LEADER = Pattern.compile("\"machine\":\\s*\"([0-9a-f]{32})\"");

  private final Machines machines;
  private final Etcd etcd;
  private final List<FleetMachine> members;
  private final Map<Integer, EtcdProxy> wires = new TreeMap<>();
  private final String[] configuration;

  private FleetCluster(
      Machines machines, Etcd etcd, List<FleetMachine> members, String... configuration) {
    this.machines = machines;
    this.etcd = etcd;
    this.members = new ArrayList<>(members);
    this.configuration = configuration.clone();
  }

  /**
   * Boots machines that make a cluster, and returns when all are members of it.
   *
   * @param configuration lines of {@code fleet.conf} on all of them
   */
  public static FleetCluster boot(Machines machines, int count, String... configuration) {
    FleetCluster cluster =
        prepare(machines, machines.etcd(EtcdSettings.plain()), count, configuration);
    cluster.install();
    return cluster;
  }

  /** Boots and configures machines; fleet is not started yet. */
  public static FleetCluster prepare(
      Machines machines, Etcd etcd, int count, String... configuration) {
    List<FleetMachine> fresh = machines.boot(count).stream().map(FleetMachine::new).toList();
    var cluster = new FleetCluster(machines, etcd, fresh, configuration);
    for (int number = 1; number <= count; number++) {
      cluster.configure(number);
    }
    return cluster;
  }

  /** The same, each machine straight at etcd: nothing that a proxy would cost, and no faults. */
  public static FleetCluster withoutWires(
      Machines machines, Etcd etcd, int count, String... configuration) {
    List<FleetMachine> fresh = machines.boot(count).stream().map(FleetMachine::new).toList();
    for (FleetMachine one : fresh) {
      one.configure(etcd.endpoints(), configuration);
    }
    return new FleetCluster(machines, etcd, fresh, configuration);
  }

  private void configure(int number) {
    EtcdProxy wire = etcd.wire();
    wires.put(number, wire);
    var lines = new ArrayList<>(List.of("metadata=\"number=%d\"".formatted(number)));
    lines.addAll(Arrays.asList(configuration));
    machine(number).configure(wire.endpoints(), lines.toArray(String[]::new));
  }

  /** Starts fleet everywhere, and returns when each machine lists all. */
  public void install() {
    BackgroundTasks.each(members, FleetMachine::install);
    awaitMembers();
  }

  /** Boots more machines into the cluster. */
  public void add(int count) {
    int first = members.size() + 1;
    machines.boot(count).stream().map(FleetMachine::new).forEach(members::add);
    for (int number = first; number < first + count; number++) {
      configure(number);
      machine(number).install();
    }
    awaitMembers();
  }

  /** Waits until all machines are listed. */
  public void awaitMembers() {
    int count = members.size();
    await("%d machines are listed".formatted(count), () -> listed() == count);
  }

  /** How many machines fleet lists. */
  public long listed() {
    return Members.listed(anyUp());
  }

  public Etcd etcd() {
    return etcd;
  }

  /** A machine by its number, from 1. */
  public FleetMachine machine(int number) {
    return members.get(number - 1);
  }

  public List<FleetMachine> machines() {
    return List.copyOf(members);
  }

  /** The wire between a machine and etcd. */
  public EtcdProxy wire(FleetMachine machine) {
    EtcdProxy wire = wires.get(members.indexOf(machine) + 1);
    if (wire == null) {
      throw new AssertionError("not of this cluster: " + machine);
    }
    return wire;
  }

  /** The wires of all machines. */
  public List<EtcdProxy> wires() {
    return List.copyOf(wires.values());
  }

  private Members all() {
    return new Members(members);
  }

  /** All machines but some. */
  public List<FleetMachine> others(FleetMachine... without) {
    return all().others(without);
  }

  private FleetMachine anyUp() {
    return members.stream()
        .filter(one -> one.machine().isUp())
        .findFirst()
        .orElseThrow(() -> new AssertionError("all machines are off"));
  }

  /** The machine whose engine leads, by the store; waits for one. */
  public FleetMachine leader() {
    await("a machine leads", () -> leaderNow().isPresent());
    return leaderNow().orElseThrow();
  }

  /** Waits until another than this one leads, and gives it. */
  public FleetMachine awaitLeaderBut(FleetMachine old) {
    await(
        "another than %s leads".formatted(old),
        () -> leaderNow().filter(now -> !now.equals(old)).isPresent());
    return leader();
  }

  /** The machine whose engine leads, if any. */
  public Optional<FleetMachine> leaderNow() {
    Matcher found = LEADER.matcher(stored("leader"));
    return found.find()
        ? members.stream().filter(one -> one.machine().id().equals(found.group(1))).findFirst()
        : Optional.empty();
  }

  /** The value of a key of fleet's. */
  public String stored(String key) {
    return etcd.tryCtl("get", "--print-value-only", PREFIX + key).stdout();
  }

  /** Writes a key of fleet's past fleet. */
  public void store(String key, String value) {
    etcd.ctl("put", PREFIX + key, value);
  }

  /** The keys of fleet's that start so. */
  public List<String> keys(String start) {
    return etcd.ctl("get", "--prefix", "--keys-only", PREFIX + start)
        .lines()
        .filter(line -> !line.isEmpty())
        .map(line -> line.substring(PREFIX.length()))
        .toList();
  }

  /** Where units are active whose names match, by the systemd of each machine that has power. */
  public Map<String, List<FleetMachine>> running(String glob) {
    return all().running(glob);
  }

  /** How many units that match are active on each machine. */
  public List<Integer> spread(String glob) {
    return all().spread(glob);
  }

  /** Waits until a unit runs on one machine alone, and gives it. */
  public FleetMachine awaitRunning(String unit) {
    await(unit + " runs on one machine", () -> whereRunning(unit).size() == 1);
    return whereRunning(unit).getFirst();
  }

  /** Waits until a unit runs on this machine and no other. */
  public void awaitRunning(String unit, FleetMachine where) {
    await(
        "%s runs on %s alone".formatted(unit, where),
        () -> whereRunning(unit).equals(List.of(where)));
  }

  /** Waits until so many units that match run, each on one of these machines and no other. */
  public void awaitRunning(String glob, int count, List<FleetMachine> where) {
    all().awaitRunning(glob, count, where);
  }

  /** Where a unit is active now. */
  public List<FleetMachine> whereRunning(String unit) {
    return all().whereRunning(unit);
  }

  /** The main process of each active service that matches, with where it runs. */
  public Map<String, String> processes(String glob) {
    return all().processes(glob);
  }

  /** When a unit ran where, since the machines exist. */
  public UnitRuns runs(String unit) {
    return all().runs(unit);
  }

  /** The same of several units, in any order. */
  public List<UnitRuns> runs(Collection<String> units) {
    return all().runs(units);
  }

  /** Waits until a condition holds that nothing announces. */
  public void await(String what, BooleanSupplier condition) {
    all().await(what, condition);
  }

  /** Destroys all units. */
  public void destroyAll() {
    all().destroyAll();
  }

  /** Gives every machine its power, network, wire and fleetd, and waits until all are members. */
  public void heal() {
    wires.values().forEach(EtcdProxy::heal);
    for (FleetMachine one : members) {
      if (one.machine().isUp()) {
        one.machine().join();
      } else {
        one.machine().boot();
      }
      one.machine().succeed("systemctl", "start", "fleet.socket", "fleet.service");
    }
    awaitMembers();
  }
}
