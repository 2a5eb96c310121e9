package fleet.daemon;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership;
import fleet.coordination.local.LocalCoordination;
import fleet.coordination.local.SoleLeadership;
import fleet.coordination.store.LeadershipSettings;
import fleet.coordination.store.StoreAgentCoordination;
import fleet.coordination.store.StoreEngineCoordination;
import fleet.coordination.store.StoreLeadership;
import fleet.core.machine.Machine;
import fleet.daemon.config.Configuration;
import fleet.registry.Registry;
import fleet.registry.SharedRegistry;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What engine and agent stand on, for one machine alone or for one of a cluster.
 *
 * @param where the registry is, for people
 * @param shared whether other machines could take over what this one runs
 */
record Foundation(
    Registry registry,
    AgentCoordination agents,
    EngineCoordination engines,
    Leadership leadership,
    String where,
    boolean shared) {

  /** etcd 3.4 may take 7 s to answer again after it lost its leader. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Opens the registry that is configured.
   *
   * @param onFatal told why this process cannot go on, and a new one must begin
   * @throws FatalException or another exception whose message is fit for the operator
   */
  static Foundation of(Configuration configuration, Machine machine, Consumer<String> onFatal)
      throws Exception {
    return configuration.etcd().isPresent()
        ? shared(configuration, configuration.etcd().get(), machine, onFatal)
        : alone(configuration);
  }

  /** What takes part in elections for an engine. */
  Leadership.Candidate candidate(Leadership.Candidate engine) {
    return registry instanceof EtcdRegistry etcd ? new CompactingLeader(etcd, engine) : engine;
  }

  private static Foundation alone(Configuration configuration) throws Exception {
    if (configuration.disableEngine()) {
      throw new FatalException(
          "disable_engine=true leaves nobody to schedule units: without etcd_servers this machine"
              + " is the whole cluster; remove the option, or set etcd_servers");
    }
    var coordination = new LocalCoordination();
    return new Foundation(
        EmbeddedRegistry.open(configuration.directories().data()),
        coordination,
        coordination,
        new SoleLeadership(),
        "registry in " + configuration.directories().data(),
        false);
  }

  private static Foundation shared(
      Configuration configuration,
      Configuration.Etcd etcd,
      Machine machine,
      Consumer<String> onFatal) {
    SharedRegistry registry = EtcdRegistry.open(options(etcd, machine));
    return new Foundation(
        registry,
        new StoreAgentCoordination(registry, EventThread::new, configuration.agentTtl(), onFatal),
        new StoreEngineCoordination(registry, EventThread::new),
        new StoreLeadership(
            registry,
            machine,
            new LeadershipSettings(configuration.leaderLease(), configuration.rpcPort()),
            EventThread::new),
        "registry in etcd at "
            + String.join(", ", etcd.servers().stream().map(Object::toString).toList()),
        true);
  }

  private static EtcdOptions options(Configuration.Etcd etcd, Machine machine) {
    return new EtcdOptions(
        etcd.servers(),
        etcd.keyPrefix(),
        machine.id(),
        etcd.requestTimeout(),
        PATIENCE,
        etcd.login().map(login -> new EtcdOptions.Login(login.user(), login.password())),
        etcd.tls().map(Foundation::tls),
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
