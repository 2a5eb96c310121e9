package fleet.fleetd;

import static java.util.stream.Collectors.joining;

import fleet.agent.ReleaseProgress;
import fleet.api.Backend;
import fleet.cluster.AccessGrants;
import fleet.cluster.ClusterCounts;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.MachineView;
import fleet.cluster.request.ApiHandler;
import fleet.coordination.EventThread;
import fleet.coordination.store.leadership.FollowedLeader;
import fleet.core.machine.HostPort;
import fleet.core.machine.Isolation;
import fleet.core.metric.Meter;
import fleet.core.metric.Metric;
import fleet.engine.CurrentCluster;
import fleet.engine.EngineSettings;
import fleet.engine.RpcReachability;
import fleet.engine.decide.StormBrake;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.memory.GrownHeap;
import fleet.fleetd.memory.IdleHeap;
import fleet.registry.MeteredRegistry;
import fleet.relay.Relay;
import fleet.trust.RegistryAccessGrants;
import fleet.trust.RegistryLogins;
import io.grpc.ServerServiceDefinition;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * fleetd, wired: its back ends, the agent of this machine, and the engine if it leads. Started in
 * this order, and stopped in the reverse one.
 */
final class Daemon implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);
  private static final Duration HAND_OVER = Duration.ofSeconds(3);

  /** No engine leads after this one: machines that take over have begun by then. */
  private static final Duration LAST_HAND_OVER = Duration.ofSeconds(10);

  private static final Duration HEALTHY = Duration.ofSeconds(10);

  /** A question whether this fleetd is ready is answered within this time. */
  static final Duration TIME_TO_TELL = Duration.ofSeconds(2);

  /** Machines have a TTL to find a new leader, and cannot before its port is open. */
  private static final Duration PORT_OPENS = Duration.ofSeconds(5);

  /** A leader's lease, and the time that another one takes to begin. */
  static final Duration LEADER_SOUGHT = Duration.ofSeconds(10);

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final StartupInputs startup;
  private final ServerComponents components;
  private final CurrentCluster cluster;
  private final MachineAgent agent;
  private final Backend.Server server;
  private final LoginPort loginPort;
  private final Optional<Relay> relay;

  /**
   * Wires the parts and starts them.
   *
   * @throws FatalException or another exception whose message is fit for the operator
   */
  static RunningDaemon start(StartupInputs startup) throws Exception {
    Optional<Configuration.Join> join = startup.configuration().join();
    return join.isPresent() ? new JoinedDaemon(startup, join.get()) : ServerDaemon.start(startup);
  }

  /**
   * Waits for nothing: a missing dependency makes it fail.
   *
   * @param requests answers those that other fleetds pass on
   * @param api opens the port that people come by
   */
  Daemon(StartupInputs startup, ServerServiceDefinition requests, HttpApi api) throws Exception {
    this.startup = startup;
    Configuration configuration = startup.configuration();
    try {
      components = ServerComponents.of(startup, Daemon::giveUp);
      running.push(components.registry());
      running.push(components.admission());
      running.push(components.engines());
      components.rpc().ifPresent(running::push);
      components.leader().ifPresent(running::push);
      // Opened with all services: a client that misses one takes this fleetd for another version.
      components.rpc().ifPresent(rpc -> rpc.serve(requests));
      components.openPort(configuration.rpcInsecure());
      agent = started(new MachineAgent(startup, components.agents()));
      cluster = started(cluster(components, configuration, startup.metrics()));
      // The agent first: its machine is there by the time an engine counts who is missing.
      agent.start();
      // Stopped before the agent, so that no engine here sees its own machine leave.
      running.push(components.leadership());
      if (!configuration.disableEngine()) {
        if (components.rpc().isPresent()) {
          components.rpc().get().awaitTried(PORT_OPENS);
        }
        components
            .leadership()
            .campaign(components.candidate(cluster, this::present, configuration.agentTtl()));
      }
      loginPort = started(loginPort(api));
      server =
          new Backend.Server(
              cluster.leading(),
              new Backend.Own(
                  cluster,
                  new AddressedTokens(
                      components.admission().tokens(),
                      Configuration.Join.DEFAULT_PORT,
                      () -> new HostPort(startup.machine().publicIp(), configuration.rpcPort())),
                  components.admission().trust(),
                  components.admission().rotation(),
                  new RegistryAccessGrants(components.registry(), Clock.systemUTC()),
                  new RegistryLogins(
                      components.registry(),
                      components.admission().authority(),
                      loginPort,
                      Clock.systemUTC())));
      warnOfMissingGrants(configuration.api(), server.any().grants());
      relay = components.leader().map(this::relay);
      components.rpc().ifPresent(rpc -> rpc.onOpen(_ -> startup.notifier().status(status())));
      startup.facts().onChange(_ -> startup.notifier().status(status()));
      components.onProblem(() -> startup.notifier().status(status()));
      running.push(IdleHeap.watch());
      GrownHeap.watch().ifPresent(running::push);
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  private Set<String> present() {
    return cluster.leading().machines().stream().map(MachineView::id).collect(Collectors.toSet());
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private LoginPort loginPort(HttpApi api) {
    return new LoginPort(
        startup.configuration().api(),
        api,
        components.admission()::identity,
        () -> startup.machine().publicIp());
  }

  /** Opens the port for people once there are any, and the API answers. */
  void awaitPeople() {
    loginPort.openWhen(NetworkDemand.toLogIn(components.registry(), Clock.systemUTC()));
  }

  private static CurrentCluster cluster(
      ServerComponents components, Configuration configuration, Meter meter) {
    return new CurrentCluster(
        components.registry(),
        components.engines(),
        components.leadership(),
        settings(configuration, components.reach()).with(changed -> changed.meter = meter),
        Clock.systemUTC(),
        EventThread::new,
        Daemon::giveUp);
  }

  /**
   * A new leader does not know what machines told the last one until they tell it again. Machines
   * that stop their units by themselves have done so a while after their TTL.
   */
  private static EngineSettings settings(Configuration configuration, RpcReachability reach) {
    Duration ttl = configuration.agentTtl();
    EngineSettings settings =
        EngineSettings.of(ttl)
            .with(changed -> changed.storm = storm(configuration))
            .with(changed ->
                changed.standby = EngineSettings.Standby.from(configuration.standbyUnits()))
            .with(changed -> changed.reach = reach);
    boolean stops = configuration.onIsolation() == Isolation.STOP;
    return settings.with(
        changed -> changed.reportsAwaited = stops ? ttl.plus(settings.isolationMargin()) : ttl);
  }

  private Relay relay(FollowedLeader leader) {
    RpcEndpoint calls = components.calls().orElseThrow();
    if (components.rpc().isEmpty()) {
      running.push(calls);
    }
    return started(
        new Relay(
            () -> ServerComponents.addresses(leader),
            calls.channels(),
            cluster::written,
            LEADER_SOUGHT));
  }

  /**
   * Certificates alone grant nothing: this tells an operator after an upgrade, before a 403 does.
   */
  private static void warnOfMissingGrants(Configuration.Api api, AccessGrants grants) {
    if (!api.refusesCertificates()) {
      return;
    }
    try {
      if (grants.list().isEmpty()) {
        LOG.warn(
            "clients with certificates can do nothing, as there are no grants: run fleetctl access"
                + " grant NAME --role=operator for each, or set api_cafile_role=admin for all");
      }
    } catch (ClusterUnavailableException e) {
      LOG.debug("grants are not known: {}", e.getMessage());
    }
  }

  /** A question that first needs another server waits for the identity. */
  private static void begin(RpcEndpoint calls) {
    try {
      calls.begin(PORT_OPENS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailableException("interrupted", e);
    }
  }

  /**
   * Returns once answers see everything up to a revision of the registry.
   *
   * @throws ClusterUnavailableException if that takes long
   */
  void awaitRevision(long revision) {
    cluster.awaitRevision(revision);
  }

  /** This server's own part in answers of the API. */
  Backend.Server server() {
    return server;
  }

  /**
   * The leader's API if machines speak to the leader: only its state has what they tell. Empty if
   * they do not: then all of it is in the store.
   */
  Optional<ApiHandler> leader() {
    Optional<ApiHandler> asked =
        components
            .leader()
            .filter(leader -> leader.isSpokenTo(components.rpc().isPresent()))
            .flatMap(_ -> relay);
    asked.ifPresent(_ -> begin(components.calls().orElseThrow()));
    return asked;
  }

  private static StormBrake.Settings storm(Configuration configuration) {
    Configuration.Storm storm = configuration.storm();
    return new StormBrake.Settings(
        storm.percent(), storm.machines(), configuration.agentTtl(), storm.pause());
  }

  /** A new process begins with a fresh state; units go on running meanwhile. */
  static void giveUp(String why) {
    LOG.error("{}; fleetd ends, and systemd starts it again", why);
    Runtime.getRuntime().halt(1);
  }

  String status() {
    String closed =
        components.rpc().flatMap(RpcEndpoint::problem).map(problem -> ", " + problem).orElse("");
    String problems =
        components.problems().stream().map(problem -> "; " + problem).collect(joining());
    return "machine %s, %s%s%s; %s%s"
        .formatted(
            startup.machine().id(), components.where(), closed, lead(), agent.status(), problems);
  }

  /** The leader, as far as this machine knows without asking. */
  private String lead() {
    return cluster
        .countsIfLeading()
        .map(Daemon::leads)
        .or(() ->
            components
                .leader()
                .map(leader ->
                    leader
                        .knownMachine()
                        .map("; machine %s leads"::formatted)
                        .orElse("; nobody leads")))
        .orElse("");
  }

  private static String leads(ClusterCounts counts) {
    int failed = counts.states().getOrDefault("failed", 0);
    return "; leads "
        + (counts.machines() == 1 ? "1 machine" : counts.machines() + " machines")
        + (counts.units() == 1 ? " with 1 unit" : " with " + counts.units() + " units")
        + (failed == 0 ? "" : ", " + failed + " failed");
  }

  /** Why this server cannot do its work; empty if it can. */
  Optional<String> unready() throws InterruptedException {
    Optional<String> etcd =
        components.etcd().sinceWhen().map(since -> "no answer from etcd since " + since);
    if (etcd.isPresent()) {
      return etcd;
    }
    if (!cluster.answersWithin(TIME_TO_TELL)) {
      return Optional.of("the engine is busy with something else");
    }
    boolean led =
        cluster.countsIfLeading().isPresent()
            || components.leader().flatMap(FollowedLeader::knownMachine).isPresent();
    return led ? agent.unready(TIME_TO_TELL) : Optional.of("no engine leads the cluster");
  }

  /** Tells the metrics that are read at each scrape. */
  void tell(Meter meter) throws InterruptedException {
    MeteredRegistry.tellSize(components.registry(), meter);
    startup
        .configuration()
        .etcd()
        .ifPresent(etcd -> meter.record(Metric.FLEET_REGISTRY_QUOTA_BYTES, (double) etcd.quota()));
    cluster.tell(meter);
    agent.tell(meter, TIME_TO_TELL);
  }

  Optional<String> trouble() throws InterruptedException {
    if (!cluster.answersWithin(HEALTHY)) {
      return Optional.of("the engine does not get round to its work");
    }
    return agent.trouble();
  }

  void dump(PrintStream out) {
    agent.dump(out);
  }

  boolean canRelease() {
    return components.shared() || othersHaveJoined();
  }

  private boolean othersHaveJoined() {
    try {
      return cluster.machines().size() > 1;
    } catch (ClusterUnavailableException e) {
      LOG.warn("{}; taken for the only machine of its cluster", e.getMessage());
      return false;
    }
  }

  Optional<Instant> maintenance() {
    return agent.maintenance();
  }

  void release(ReleaseProgress progress) throws InterruptedException {
    agent.release(progress);
    try {
      // The next leader would first wait whether this machine comes back.
      cluster.awaitDeparture(
          startup.machine().id(), components.shared() ? HAND_OVER : LAST_HAND_OVER);
    } catch (ClusterUnavailableException e) {
      LOG.warn("{}; the next leader will place these units", e.getMessage());
    }
  }

  /** Refuses what other fleetds ask from now on; they ask the next leader. */
  void refuseMore() {
    components.rpc().ifPresent(RpcEndpoint::refuseMore);
  }

  @Override
  public void close() {
    startup.facts().forgetHearers();
    while (!running.isEmpty()) {
      AutoCloseable part = running.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not stop in order: {}", part, e.toString());
      }
    }
  }
}
