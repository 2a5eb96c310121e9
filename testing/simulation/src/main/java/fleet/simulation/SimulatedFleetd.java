package fleet.simulation;

import fleet.agent.Agent;
import fleet.agent.AgentSettings;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.coordination.AgentCoordination;
import fleet.coordination.CompositeCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.FailoverCoordination;
import fleet.coordination.FailoverCoordination.Prospect;
import fleet.coordination.Leadership;
import fleet.coordination.rpc.LocalConnector;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.coordination.rpc.StreamConnector;
import fleet.coordination.store.StoreAgentCoordination;
import fleet.coordination.store.StoreEngineCoordination;
import fleet.coordination.store.leadership.LeadershipSettings;
import fleet.coordination.store.leadership.StoreLeadership;
import fleet.core.machine.HostPort;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.metric.Meter;
import fleet.engine.CurrentCluster;
import fleet.engine.EngineSettings;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import fleet.rpc.CandidateAddresses;
import fleet.simulation.net.SimulatedNetwork;
import fleet.simulation.run.SimulatedProcess;
import fleet.systemd.SystemdException;
import fleet.systemd.simulated.SimulatedSystemd;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One run of fleetd in a process, wired as {@code fleet.fleetd.Daemon} does it on etcd, or as
 * {@code fleet.fleetd.JoinedDaemon} does it without.
 */
final class SimulatedFleetd {

  /** Longer than any run: what only a safety pass finds is a fault. */
  private static final Duration SAFETY_PASS = Duration.ofHours(5);

  private static final int LONGEST_ANSWER = 100;
  private static final int NO_PORT = 0;
  private static final int RPC_PORT = 1;

  /** For how long one that has joined waits for a server to say who leads. */
  private static final Duration TO_BE_TOLD = Duration.ofSeconds(2);

  private final SimulatedProcess process;
  private final Wiring wiring;
  private final Machine machine;
  private final AgentSettings directories;
  private final SharedRegistry registry;
  private final SimulatedSystemd systemd;
  private final SimulatedGuard guard;
  private final Clock clock;
  private final MachineSettings settings;
  private final Optional<SimulatedNetwork> network;
  private final List<String> servers;
  private final Supplier<String> ids;
  private final Consumer<String> onExit;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private Optional<CurrentCluster> cluster = Optional.empty();
  private Optional<Agent> agent = Optional.empty();
  private boolean ending;

  /**
   * @param network where this fleetd and others speak to each other; empty if they do so through
   *     the store alone
   * @param servers those that this fleetd has joined; none if it has the store
   * @param onExit told when the process ends by itself, with why
   */
  SimulatedFleetd(
      SimulatedProcess process,
      Wiring wiring,
      Machine machine,
      SimulatedMachine.Directories directories,
      SharedRegistry registry,
      SimulatedSystemd systemd,
      SimulatedGuard guard,
      Clock clock,
      MachineSettings settings,
      Optional<SimulatedNetwork> network,
      List<String> servers,
      Supplier<String> ids,
      Consumer<String> onExit) {
    this.process = process;
    this.wiring = wiring;
    this.machine = machine;
    this.directories =
        new AgentSettings(
            directories.units(),
            directories.marks(),
            directories.marks().resolveSibling("isolation"),
            SAFETY_PASS,
            settings.agentTtl(),
            false);
    this.registry = registry;
    this.systemd = systemd;
    this.guard = guard;
    this.clock = clock;
    this.settings = settings;
    this.network = network;
    this.servers = servers;
    this.ids = ids;
    this.onExit = onExit;
  }

  SimulatedProcess process() {
    return process;
  }

  void start() {
    process.spawn("main", this::main);
  }

  private void main() {
    try {
      wire();
    } catch (RegistryException | SystemdException | IOException e) {
      exit("cannot start: " + e.getMessage());
    }
  }

  private void wire() throws IOException {
    EventLoop.Factory loops = process.loops();
    if (servers.isEmpty()) {
      wireServer(loops);
    } else {
      SimulatedNetwork between = network.orElseThrow();
      agent(loops, direct(loops, dialer(between), () -> candidates(between))).start();
    }
  }

  /** The leader first, if one of the servers knows it. */
  private List<HostPort> candidates(SimulatedNetwork between) {
    Optional<String> leader = between.leader(machine.id(), process, servers, TO_BE_TOLD);
    return Stream.concat(leader.stream(), servers.stream())
        .distinct()
        .map(server -> new HostPort(server, RPC_PORT))
        .toList();
  }

  private Agent agent(EventLoop.Factory loops, AgentCoordination coordination) throws IOException {
    Agent made =
        started(
            new Agent(
                machine,
                directories,
                wiring.agent(coordination),
                new ChanceBidder(loops, process.simulation().random()),
                listener -> wiring.systemd(systemd.connect(process, listener)),
                connected -> wiring.guard(guard.seenBy(process, connected)),
                loops,
                clock));
    agent = Optional.of(made);
    return made;
  }

  private void wireServer(EventLoop.Factory loops) throws IOException {
    running.push(registry);
    Leadership leadership =
        wiring.leadership(
            new StoreLeadership(
                registry,
                machine,
                new LeadershipSettings(
                    settings.leaderLease(), NO_PORT, Optional.empty(), network.isPresent()),
                loops,
                process.simulation().random()));
    Optional<RpcEngineCoordination> direct =
        network.map(between -> listening(between, loops, leadership));
    Agent agent = agent(loops, agents(loops, direct));
    EngineCoordination engines = started(wiring.engine(engines(loops, direct)));
    CurrentCluster served =
        started(
            new CurrentCluster(
                registry, engines, leadership, engineSettings(), clock, loops, this::exit, ids));
    agent.start();
    started(leadership).campaign(served);
    cluster = Optional.of(served);
  }

  private EngineSettings engineSettings() {
    Duration ttl = settings.agentTtl();
    EngineSettings usual = EngineSettings.of(ttl);
    boolean stops = machine.isolation() == Isolation.STOP;
    EngineSettings set =
        usual
            .with(
                changed -> changed.reportsAwaited = stops ? ttl.plus(usual.isolationMargin()) : ttl)
            .with(changed -> changed.standby = EngineSettings.Standby.from(settings.standbyFrom()));
    return wiring.settings(
        new EngineSettings(
            set.agentTtl(),
            set.isolationMargin(),
            set.reportsAwaited(),
            set.storm(),
            SAFETY_PASS,
            set.eventsKept(),
            set.observerIdle(),
            set.standby(),
            set.rest(),
            set.reach(),
            set.patience(),
            Meter.NONE));
  }

  private RpcEngineCoordination listening(
      SimulatedNetwork between, EventLoop.Factory loops, Leadership leadership) {
    var direct =
        new RpcEngineCoordination(
            registry::storeId,
            leadership::isCertain,
            () -> leader().filter(this::isOther).map(HostPort::toString).orElse(""),
            loops);
    between.listen(machine.id(), process, line -> direct.arrived(line, Optional.empty()));
    return direct;
  }

  private EngineCoordination engines(
      EventLoop.Factory loops, Optional<RpcEngineCoordination> direct) {
    var store = new StoreEngineCoordination(registry, loops);
    return direct
        .<EngineCoordination>map(speaking -> new CompositeCoordination(List.of(speaking, store)))
        .orElse(store);
  }

  private AgentCoordination agents(
      EventLoop.Factory loops, Optional<RpcEngineCoordination> engine) {
    var store =
        new StoreAgentCoordination(
            registry, loops, settings.agentTtl(), this::exit, Optional::empty);
    if (engine.isEmpty()) {
      return store;
    }
    var dialer =
        new LocalConnector(
            new HostPort(machine.id(), RPC_PORT), engine.get(), dialer(network.orElseThrow()));
    var direct = direct(loops, dialer, () -> leader().stream().toList());
    return new FailoverCoordination(
        new FailoverCoordination.AgentTransport(
            "the leader's port", direct, () -> Prospect.OPEN, _ -> false),
        new FailoverCoordination.AgentTransport(
            "the store", store, () -> Prospect.OPEN, _ -> false),
        loops,
        settings.agentTtl(),
        _ -> {});
  }

  private StreamConnector dialer(SimulatedNetwork between) {
    return (address, listener) -> between.dial(machine.id(), process, address.host(), listener);
  }

  private AgentCoordination direct(
      EventLoop.Factory loops, StreamConnector dialer, CandidateAddresses addresses) {
    return new RpcAgentCoordination(
        addresses,
        dialer,
        loops,
        process.simulation().random(),
        ids,
        settings.agentTtl(),
        this::exit);
  }

  /** A machine's id is its address; the real one is left out, for nobody to connect to it. */
  private boolean isOther(HostPort leader) {
    return !leader.host().equals(machine.id());
  }

  private Optional<HostPort> leader() {
    return registry
        .get(Keys.LEADER)
        .map(LeaderRecord::of)
        .filter(LeaderRecord::rpc)
        .map(record -> new HostPort(record.machine(), RPC_PORT));
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private void exit(String why) {
    if (process.isAlive()) {
      process.kill();
      onExit.accept(why);
    }
  }

  /** Has a query answered by whoever leads; nothing if it is not soon. */
  <T> void query(Function<Cluster, T> question, Consumer<T> answered) {
    cluster.ifPresent(served ->
        process.spawn(
            "query",
            () -> {
              try {
                answered.accept(question.apply(served.leading()));
              } catch (ClusterUnavailableException | NotLeadingException e) {
                process.simulation().remark("%s: %s".formatted(process.name(), e.getMessage()));
              }
            }));
  }

  /** Has somebody ask this fleetd for something. */
  <T> void request(String what, Function<Cluster, T> request, Consumer<T> answered) {
    cluster.ifPresent(served ->
        process.spawn(
            "request",
            () -> {
              try {
                T answer = request.apply(served);
                process
                    .simulation()
                    .happens("%s: %s: %s".formatted(process.name(), what, shortly(answer)));
                answered.accept(answer);
              } catch (ClusterUnavailableException e) {
                process
                    .simulation()
                    .happens("%s: %s: %s".formatted(process.name(), what, e.getMessage()));
              }
            }));
  }

  private static String shortly(Object answer) {
    String text = answer.toString();
    return text.length() > LONGEST_ANSWER ? text.substring(0, LONGEST_ANSWER) + "..." : text;
  }

  /** Gives up all units, and ends. */
  void leave() {
    end("left the cluster", () -> agent.ifPresent(leaving -> leaving.release((_, _) -> {})));
  }

  /** Ends in order, as for a restart: units go on running. */
  void shutDown() {
    end("shut down", () -> {});
  }

  /** Once: whoever asks again while that lasts is not heard. */
  private void end(String how, Runnable first) {
    if (ending) {
      return;
    }
    ending = true;
    process.spawn(
        "end",
        () -> {
          first.run();
          closeAll();
          exit(how);
        });
  }

  private void closeAll() {
    while (!running.isEmpty()) {
      close(running.pop());
    }
  }

  private void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      process.simulation().remark(process.name() + ": " + part + " did not stop in order: " + e);
    }
  }
}
