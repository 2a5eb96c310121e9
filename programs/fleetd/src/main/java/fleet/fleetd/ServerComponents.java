package fleet.fleetd;

import fleet.coordination.AgentCoordination;
import fleet.coordination.CompositeCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.local.LocalCoordination;
import fleet.coordination.local.SoleLeadership;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.coordination.store.StoreEngineCoordination;
import fleet.coordination.store.leadership.FollowedLeader;
import fleet.coordination.store.leadership.LeadershipSettings;
import fleet.coordination.store.leadership.StoreLeadership;
import fleet.core.audit.AuditLog;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.metric.Meter;
import fleet.engine.RpcReachability;
import fleet.fleetd.config.Configuration;
import fleet.fleetd.config.ConfigurationException;
import fleet.fleetd.machine.MachineFacts;
import fleet.registry.MeteredRegistry;
import fleet.registry.Registry;
import fleet.registry.SharedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import fleet.rpc.LeaderDirectoryService;
import fleet.rpc.enrol.EnrolmentService;
import fleet.rpc.v1.Leader;
import fleet.trust.Enrolment;
import fleet.trust.EnrolmentRefusedException;
import io.grpc.ServerServiceDefinition;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The parts that engine and agent are built on, for one machine alone or for one of a cluster.
 *
 * @param where the registry is, for people
 * @param shared whether other machines could take over what this one runs
 * @param rpc through which machines speak to each other; empty if they use the store alone
 * @param leader who leads, if that may be another machine's engine
 * @param fallback whether the leader's RPC port does not answer this machine
 * @param etcd whether etcd is silent, if it has the registry
 * @param calls how other servers are asked; the same as {@code rpc} if there is one
 * @param joined whether there are machines without the registry
 * @param cutOff whether these are cut off by this server
 * @param admission who belongs to the cluster
 * @param etcdRegistry the registry, if it is in etcd
 */
record ServerComponents(
    Registry registry,
    AgentCoordination agents,
    EngineCoordination engines,
    Leadership leadership,
    String where,
    boolean shared,
    Optional<RpcEndpoint> rpc,
    Optional<FollowedLeader> leader,
    StoreFallback fallback,
    DependencyOutage etcd,
    Optional<RpcEndpoint> calls,
    JoinedMark joined,
    UnreachableLeaderWarning.CutOff cutOff,
    AdmissionControl admission,
    Optional<EtcdRegistry> etcdRegistry) {

  /** etcd 3.4 may take 7 s to answer again after it lost its leader. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Opens the registry that is configured.
   *
   * @param onFatal told why this process cannot go on, and a new one must begin
   * @throws FatalException or another exception whose message is fit for the operator
   */
  static ServerComponents of(
      Configuration configuration,
      MachineFacts facts,
      AuditLog audit,
      Meter meter,
      Consumer<String> onFatal)
      throws Exception {
    return configuration.etcd().isPresent()
        ? shared(configuration, configuration.etcd().get(), facts, audit, meter, onFatal)
        : alone(configuration, facts, audit, meter, onFatal);
  }

  /**
   * The candidate that takes part in elections for an engine.
   *
   * @param present ids of the machines that are there, as the leader sees them
   * @param patience how long machines have to report to a new leader
   */
  Leadership.Candidate candidate(
      Leadership.Candidate engine, Supplier<Set<String>> present, Duration patience) {
    Leadership.Candidate telling =
        new AuthorityRotationTask(
            admission.rotation(),
            admission.authorities(),
            present,
            patience,
            new UnreachableLeaderWarning(engine, joined, cutOff));
    return etcdRegistry
        .<Leadership.Candidate>map(etcd -> new CompactionTask(etcd, telling))
        .orElse(telling);
  }

  /**
   * Opens the RPC port: at once if servers share a registry, since they look for each other, or if
   * plain text is configured, which needs no token; otherwise once a machine may join.
   */
  void openPort(boolean insecure) {
    rpc.ifPresent(port ->
        port.startWhen(
            shared || insecure
                ? Runnable::run
                : NetworkDemand.toJoin(registry, joined, Clock.systemUTC())::whenThere));
  }

  /** Connection problems of this machine, present or imminent, for people. */
  List<String> problems() {
    Optional<String> unreached =
        etcd.sinceWhen()
            .map(since -> "no answer from etcd since " + since)
            .or(() -> fallback.problem(otherLeader()));
    return Stream.of(
            unreached, etcdRegistry.flatMap(EtcdRegistry::certificateProblem), cutOff.problem())
        .flatMap(Optional::stream)
        .toList();
  }

  /** Has something done whenever {@link #problems} changes, by another thread. */
  void onProblem(Runnable work) {
    fallback.onChange(work);
    etcd.onChange(work);
    cutOff.onChange(work);
    etcdRegistry.ifPresent(registry -> registry.onCertificateProblem(work));
  }

  /** The address at which machines speak to the leader; empty if this machine leads. */
  private Optional<String> otherLeader() {
    return leader
        .flatMap(FollowedLeader::knownRpcAddress)
        .map(address -> rpc.map(port -> other(address, port)).orElse(address))
        .filter(address -> !address.isEmpty());
  }

  /** Whether machines that speak to the leader itself can speak to this server. */
  RpcReachability reach() {
    if (rpc.isEmpty()) {
      return RpcReachability.UNHINDERED;
    }
    RpcEndpoint port = rpc.get();
    // With a shared registry, machines may use the registry instead.
    return shared
        ? () -> cutOff.opening(port.opening())
        : () -> port.isNeeded() ? port.opening() : RpcReachability.UNHINDERED.opening();
  }

  private static ServerComponents alone(
      Configuration configuration,
      MachineFacts facts,
      AuditLog audit,
      Meter meter,
      Consumer<String> onFatal)
      throws Exception {
    if (configuration.disableEngine()) {
      throw new ConfigurationException(
          "disable_engine=true leaves nobody to schedule units: without etcd_servers this machine"
              + " is the whole cluster; remove the option, or set etcd_servers");
    }
    Path data = configuration.directories().data();
    Registry registry = MeteredRegistry.of(SealedRegistry.open(data, facts.machine().id()), meter);
    var local = new LocalCoordination();
    var leadership = new SoleLeadership();
    var admission = AdmissionControl.begin(registry, data, facts.machine().id(), onFatal);
    Optional<RpcEndpoint> rpc = rpc(configuration, facts, admission, audit, meter);
    var joined = new JoinedMark(registry, Clock.systemUTC());
    rpc.ifPresent(port -> port.serve(directory(joined, () -> addressOf(port))));
    // A restored backup assigns its revisions again, unaware that it is a backup.
    String thisStart = registry.storeId() + "-" + UUID.randomUUID();
    return new ServerComponents(
        registry,
        local,
        engines(direct(rpc, admission, () -> thisStart, leadership, () -> ""), local),
        leadership,
        "registry in " + configuration.directories().data(),
        false,
        rpc,
        Optional.empty(),
        new StoreFallback(),
        new DependencyOutage(Clock.systemUTC()),
        Optional.empty(),
        joined,
        cutOff(rpc),
        admission,
        Optional.empty());
  }

  private static ServerComponents shared(
      Configuration configuration,
      Configuration.Etcd etcd,
      MachineFacts facts,
      AuditLog audit,
      Meter meter,
      Consumer<String> onFatal)
      throws FatalException, EnrolmentRefusedException {
    Machine machine = facts.machine();
    String where = where(etcd);
    EtcdRegistry opened = opened(configuration, etcd, machine, where);
    SharedRegistry registry = MeteredRegistry.of(opened, meter);
    AdmissionControl admission;
    try {
      StoreIdentityWatch.watch(registry, onFatal);
      Path data = configuration.directories().data();
      admission = AdmissionControl.begin(registry, data, machine.id(), onFatal).sharing();
    } catch (EnrolmentRefusedException | RuntimeException e) {
      registry.close();
      throw e;
    }
    Optional<RpcEndpoint> rpc = rpc(configuration, facts, admission, audit, meter);
    var leader = new FollowedLeader(registry, EventThread::new, PATIENCE);
    var joined = new JoinedMark(registry, Clock.systemUTC());
    rpc.ifPresent(port -> port.serve(directory(joined, () -> address(leader))));
    Leadership leadership =
        rpc.<Leadership>map(port ->
                new ReachabilityGate(
                    address -> elections(configuration, registry, facts, address),
                    port,
                    configuration.agentTtl()))
            .orElseGet(() -> movingElections(configuration, registry, facts));
    Optional<RpcEngineCoordination> direct =
        direct(rpc, admission, registry::storeId, leadership, () -> address(leader));
    var fallback = new StoreFallback();
    var silence = new DependencyOutage(Clock.systemUTC());
    opened.onOutage(silence::is);
    return new ServerComponents(
        registry,
        AgentTransports.of(
            configuration, rpc, direct, registry, leader, fallback, admission, onFatal),
        engines(direct, new StoreEngineCoordination(registry, EventThread::new)),
        leadership,
        "registry in " + where,
        true,
        rpc,
        Optional.of(leader),
        fallback,
        silence,
        Optional.of(rpc.orElseGet(() -> calling(configuration, admission, meter))),
        joined,
        cutOff(rpc),
        admission,
        Optional.of(opened));
  }

  private static UnreachableLeaderWarning.CutOff cutOff(Optional<RpcEndpoint> rpc) {
    return rpc.map(port -> UnreachableLeaderWarning.CutOff.until(() -> port.isReached()))
        .orElseGet(UnreachableLeaderWarning.CutOff::forGood);
  }

  /**
   * Elections to take part in.
   *
   * @param address where machines speak to this server
   */
  private static StoreLeadership elections(
      Configuration configuration,
      SharedRegistry registry,
      MachineFacts facts,
      Optional<HostPort> address) {
    return new StoreLeadership(
        registry,
        facts.machine(),
        new LeadershipSettings(
            configuration.leaderLease(), configuration.rpcPort(), address.map(HostPort::toString)),
        EventThread::new);
  }

  /** Elections of a server without RPC: only other servers check whether it is alive. */
  private static StoreLeadership movingElections(
      Configuration configuration, SharedRegistry registry, MachineFacts facts) {
    StoreLeadership elections = elections(configuration, registry, facts, Optional.empty());
    facts.onChange(machine -> elections.move(machine.publicIp(), Optional.empty()));
    return elections;
  }

  static String where(Configuration.Etcd etcd) {
    return "etcd at " + String.join(", ", etcd.servers().stream().map(Object::toString).toList());
  }

  /** Moves this machine's registry, if it was embedded until now. */
  private static EtcdRegistry opened(
      Configuration configuration, Configuration.Etcd etcd, Machine machine, String where)
      throws FatalException {
    EtcdOptions options = options(etcd, machine);
    String below = where + ", below " + etcd.keyPrefix();
    var move = new MoveToEtcd(configuration.directories().data(), machine, below);
    // The caller retries, and says what is wrong.
    move.expectRoom(() -> EtcdRegistry.strangersAtOnce(options));
    EtcdRegistry registry = EtcdRegistry.openAtOnce(options);
    try {
      move.carryOut(registry);
      return registry;
    } catch (FatalException | RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  // ---- how machines and the leader speak to each other

  private static Optional<RpcEndpoint> rpc(
      Configuration configuration,
      MachineFacts facts,
      AdmissionControl admission,
      AuditLog audit,
      Meter meter) {
    if (!configuration.enableGrpc()) {
      return Optional.empty();
    }
    var endpoint =
        RpcEndpoint.serving(
            facts.machine().publicIp(),
            configuration.rpcPort(),
            configuration.rpcInsecure(),
            admission::identity,
            admission,
            audit,
            meter);
    admission.guard(endpoint);
    facts.onChange(machine -> endpoint.move(machine.publicIp()));
    endpoint.move(facts.machine().publicIp());
    var enrolment = new Enrolment(admission.authority(), admission.tokens(), admission.bindings());
    endpoint.serve(new EnrolmentService(enrolment, audit).bindService());
    return Optional.of(endpoint);
  }

  /** Begins with the first request to another server: without RPC there is none. */
  private static RpcEndpoint calling(
      Configuration configuration, AdmissionControl admission, Meter meter) {
    return RpcEndpoint.calling(configuration.rpcInsecure(), admission::identity, meter);
  }

  private static String addressOf(RpcEndpoint port) {
    return port.address().map(HostPort::toString).orElse("");
  }

  /** Tells joined machines where the leader is. */
  private static ServerServiceDefinition directory(JoinedMark joined, Supplier<String> leader) {
    return LeaderDirectoryService.service(() -> {
      joined.seen();
      return Leader.newBuilder().setAddress(leader.get()).build();
    });
  }

  /** Machines of both ways may share a cluster, each in one of them at a time. */
  private static EngineCoordination engines(
      Optional<RpcEngineCoordination> direct, EngineCoordination other) {
    return direct
        .<EngineCoordination>map(rpc -> new CompositeCoordination(List.of(rpc, other)))
        .orElse(other);
  }

  /**
   * @param store within which an entry's revision stands for one content
   */
  private static Optional<RpcEngineCoordination> direct(
      Optional<RpcEndpoint> rpc,
      AdmissionControl admission,
      Supplier<String> store,
      Leadership leadership,
      Supplier<String> leader) {
    return rpc.map(port -> {
      var direct =
          new RpcEngineCoordination(
              store, leadership::isCertain, () -> other(leader.get(), port), EventThread::new);
      port.serve(direct.service());
      admission.guard(direct);
      return direct;
    });
  }

  /** The address of the leader; empty if this fleetd leads. */
  private static String other(String leader, RpcEndpoint own) {
    return HostPort.parse(leader).filter(own::isHere).isPresent() ? "" : leader;
  }

  /** Addresses of the leader's API; empty if machines use the store alone. */
  static List<HostPort> addresses(FollowedLeader leader) {
    return HostPort.parse(address(leader)).stream().toList();
  }

  /** The leader's address, as the registry has it; empty if nobody leads. */
  private static String address(FollowedLeader leader) {
    return leader.rpcAddress().orElse("");
  }

  private static EtcdOptions options(Configuration.Etcd etcd, Machine machine) {
    return new EtcdOptions(
        etcd.servers(),
        etcd.keyPrefix(),
        machine.id(),
        etcd.requestTimeout(),
        PATIENCE,
        etcd.login().map(login -> new EtcdOptions.Login(login.user(), login.password())),
        etcd.tls().map(ServerComponents::tls),
        etcd.quota(),
        etcd.compactAfter());
  }

  private static EtcdOptions.Tls tls(Configuration.EtcdTls tls) {
    return new EtcdOptions.Tls(
        tls.authority(),
        tls.client()
            .map(client -> new EtcdOptions.Tls.Client(client.certfile(), client.keyfile())));
  }
}
