package fleet.registry.etcd;

import fleet.core.testing.Await;
import fleet.registry.RegistryException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Handles on etcd, as tests need them. */
final class Registries {

  private static final String PREFIX = "/fleet/";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private Registries() {}

  static EtcdRegistry open(URI etcd) {
    return open(List.of(etcd), "direct", Duration.ofSeconds(5));
  }

  static EtcdRegistry open(URI etcd, String writer, Duration requestTimeout) {
    return open(List.of(etcd), writer, requestTimeout);
  }

  /** On the etcd that a class shares, or on a wire to it. */
  static EtcdRegistry open(URI etcd, SharedEtcd shared, String writer, Duration requestTimeout) {
    return EtcdRegistry.open(
        options(List.of(etcd), shared.prefix(), writer, requestTimeout, PATIENCE),
        timing(System::nanoTime, requestTimeout));
  }

  /** The same, by a clock that a test puts forward, and without long pauses. */
  static EtcdRegistry open(
      List<URI> etcd,
      SharedEtcd shared,
      String writer,
      Duration requestTimeout,
      SkippedClock clock) {
    return EtcdRegistry.open(
        options(etcd, shared.prefix(), writer, requestTimeout, PATIENCE),
        timing(clock, requestTimeout));
  }

  static EtcdRegistry open(List<URI> etcd, String writer, Duration requestTimeout) {
    return EtcdRegistry.open(
        options(etcd, writer, requestTimeout, PATIENCE), timing(System::nanoTime, requestTimeout));
  }

  /** A renewal takes no longer than another request, and a watch is opened again soon. */
  static ConnectionTimeouts timing(LongSupplier clock, Duration renewal) {
    return new ConnectionTimeouts(clock, renewal, Duration.ofMillis(200));
  }

  /** The answer to a request that gives up soon, once a busy machine answers in time. */
  static <T> T eventually(Supplier<T> request) throws InterruptedException {
    return Await.value(() -> attempt(request), Optional::isPresent).orElseThrow();
  }

  private static <T> Optional<T> attempt(Supplier<T> request) {
    try {
      return Optional.of(request.get());
    } catch (RegistryException e) {
      return Optional.empty();
    }
  }

  static EtcdOptions options(
      List<URI> etcd, String writer, Duration requestTimeout, Duration patience) {
    return options(etcd, PREFIX, writer, requestTimeout, patience);
  }

  static EtcdOptions options(
      List<URI> etcd, String prefix, String writer, Duration requestTimeout, Duration patience) {
    return new EtcdOptions(
        etcd,
        prefix,
        writer,
        requestTimeout,
        patience,
        Optional.empty(),
        Optional.empty(),
        EtcdOptions.DEFAULT_QUOTA,
        Optional.empty());
  }
}
