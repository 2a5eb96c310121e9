package fleet.coordination.store;

import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Handles on a real etcd, as the daemons of a cluster have them. */
final class TestCluster {

  private TestCluster() {}

  static EtcdRegistry open(URI etcd, String prefix, String writer) {
    return EtcdRegistry.open(
        new EtcdOptions(
            List.of(etcd),
            prefix,
            writer,
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Optional.empty(),
            Optional.empty()));
  }
}
