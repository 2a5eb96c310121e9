package fleet.fleetd;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.FailoverCoordination;
import fleet.coordination.rpc.LocalConnector;
import fleet.coordination.rpc.RpcAgentCoordination;
import fleet.coordination.rpc.RpcEngineCoordination;
import fleet.coordination.rpc.StreamConnector;
import fleet.coordination.store.StoreAgentCoordination;
import fleet.coordination.store.leadership.FollowedLeader;
import fleet.core.machine.Machine;
import fleet.fleetd.config.Configuration;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the agent of a server that shares its registry reaches the leader: over RPC, and through the
 * store while RPC does not answer.
 */
final class AgentTransports {

  private static final Logger log = LoggerFactory.getLogger(AgentTransports.class);

  private AgentTransports() {}

  static AgentCoordination of(
      Configuration configuration,
      Optional<RpcEndpoint> rpc,
      Optional<RpcEngineCoordination> engine,
      SharedRegistry registry,
      FollowedLeader leader,
      StoreFallback fallback,
      AdmissionControl admission,
      Consumer<String> onFatal) {
    var store =
        new StoreAgentCoordination(
            registry,
            EventThread::new,
            configuration.agentTtl(),
            onFatal,
            objection(configuration, admission));
    if (rpc.isEmpty()) {
      return store;
    }
    var direct =
        new RpcAgentCoordination(
            () -> ServerComponents.addresses(leader),
            dialer(rpc.get(), engine),
            EventThread::new,
            configuration.agentTtl(),
            onFatal);
    return new FailoverCoordination(
        new FailoverCoordination.AgentTransport(
            "the leader's RPC port", direct, () -> prospect(rpc.get(), leader), _ -> false),
        new FailoverCoordination.AgentTransport(
            "the store",
            store,
            () -> FailoverCoordination.Prospect.OPEN,
            machine -> isThere(registry, machine)),
        EventThread::new,
        configuration.agentTtl(),
        fallback);
  }

  /** A copy of another server reaches the store, too, and is to be known before it has units. */
  private static Supplier<Optional<String>> objection(
      Configuration configuration, AdmissionControl admission) {
    return configuration.rpcInsecure() || !configuration.enableGrpc()
        ? Optional::empty
        : admission::objection;
  }

  private static StreamConnector dialer(RpcEndpoint rpc, Optional<RpcEngineCoordination> engine) {
    StreamConnector others = StreamConnector.over(rpc.channels());
    return engine
        .<StreamConnector>map(own ->
            (address, listener) ->
                rpc.isHere(address)
                    ? new LocalConnector(address, own, others).dial(address, listener)
                    : others.dial(address, listener))
        .orElse(others);
  }

  private static FailoverCoordination.Prospect prospect(RpcEndpoint rpc, FollowedLeader leader) {
    if (leader.isSilent()) {
      return FailoverCoordination.Prospect.NONE;
    }
    return rpc.isIdentified()
        ? FailoverCoordination.Prospect.OPEN
        : FailoverCoordination.Prospect.UNPREPARED;
  }

  /** Whether this very boot of the machine is in the store, by an earlier fleetd. */
  private static boolean isThere(Registry registry, Machine machine) {
    try {
      return registry
          .get(Keys.machine(machine.id()))
          .map(MachineRecord::of)
          .filter(record -> record.machine().bootId().equals(machine.bootId()))
          .filter(record -> !record.standIn())
          .isPresent();
    } catch (RegistryException e) {
      log.debug("whether this machine is in the store is not known", e);
      return false;
    }
  }
}
