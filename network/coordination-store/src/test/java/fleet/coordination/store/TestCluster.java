package fleet.coordination.store;

import fleet.registry.etcd.EtcdOptions;
import fleet.registry.etcd.EtcdRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Handles on a real etcd, as the daemons of a cluster have them. */
public final class TestCluster {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private TestCluster() {}

  public static EtcdRegistry open(String prefix, String writer, URI... etcd) {
    return open(prefix, writer, TIMEOUT, etcd);
  }

  public static EtcdRegistry open(String prefix, String writer, Duration timeout, URI... etcd) {
    return EtcdRegistry.open(
        new EtcdOptions(
            List.of(etcd),
            prefix,
            writer,
            timeout,
            PATIENCE,
            Optional.empty(),
            Optional.empty(),
            EtcdOptions.DEFAULT_QUOTA,
            Optional.empty()));
  }
}
