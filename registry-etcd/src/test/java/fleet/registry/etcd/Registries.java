package fleet.registry.etcd;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Handles on etcd, as tests need them. */
final class Registries {

  private Registries() {}

  static EtcdRegistry open(URI etcd) {
    return open(List.of(etcd), "direct", Duration.ofSeconds(5));
  }

  static EtcdRegistry open(URI etcd, String writer, Duration requestTimeout) {
    return open(List.of(etcd), writer, requestTimeout);
  }

  static EtcdRegistry open(List<URI> etcd, String writer, Duration requestTimeout) {
    return EtcdRegistry.open(options(etcd, writer, requestTimeout, Duration.ofSeconds(20)));
  }

  static EtcdOptions options(
      List<URI> etcd, String writer, Duration requestTimeout, Duration patience) {
    return new EtcdOptions(
        etcd, "/fleet/", writer, requestTimeout, patience, Optional.empty(), Optional.empty());
  }
}
