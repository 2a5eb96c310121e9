package fleet.hollow;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.store.StoreAgentCoordination;
import fleet.core.machine.Machine;
import fleet.registry.SharedRegistry;
import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Through etcd. Some machines share a connection, as a client of etcd has many threads. */
final class StoreTransport implements HollowTransport {

  private static final Logger log = LoggerFactory.getLogger(StoreTransport.class);
  private static final int MACHINES_EACH = 50;
  private static final String PREFIX = "/_coreos.com/fleet/";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<URI> endpoints;
  private final Duration ttl;
  private final List<SharedRegistry> registries = new ArrayList<>();
  private int machines;

  StoreTransport(List<URI> endpoints, Duration ttl) {
    this.endpoints = List.copyOf(endpoints);
    this.ttl = ttl;
  }

  @Override
  public synchronized AgentCoordination open(Machine machine, EventLoop.Factory loops) {
    if (machines++ % MACHINES_EACH == 0) {
      registries.add(
          EtcdRegistry.open(
              new EtcdOptions(
                  endpoints,
                  PREFIX,
                  machine.id(),
                  TIMEOUT,
                  PATIENCE,
                  Optional.empty(),
                  Optional.empty(),
                  EtcdOptions.DEFAULT_QUOTA,
                  Optional.empty())));
    }
    return new StoreAgentCoordination(
        registries.getLast(),
        loops,
        ttl,
        why -> log.error("machine {} cannot go on: {}", machine.id(), why),
        Optional::empty);
  }

  @Override
  public synchronized void close() {
    registries.forEach(SharedRegistry::close);
  }
}
