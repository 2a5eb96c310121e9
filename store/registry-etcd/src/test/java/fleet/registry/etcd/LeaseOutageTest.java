package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.testing.Await;
import fleet.registry.Lease;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Leases while etcd is silent, or away. */
class LeaseOutageTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String NOBODY = "cannot be reached";

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  @TempDir Path directory;
  private final SkippedClock clock = new SkippedClock();
  private EtcdServer etcd;
  private EtcdRegistry registry;

  @BeforeEach
  void open() {
    etcd = ETCD.server();
    registry = Registries.open(List.of(etcd.client()), ETCD, "one", Duration.ofMillis(500), clock);
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private static Transaction put(String key, Lease lease) {
    return Transaction.when().put(key, "x", lease).build();
  }

  @Test
  void aSilentEtcdIsToldInTimeAndTheLeaseGoesOnAfterIt() throws Exception {
    Lease lease = registry.grant(LONG);
    etcd.freeze();
    try {
      assertThatThrownBy(lease::renew)
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("perhaps not renewed")
          .hasMessageContaining("did not answer in time");
    } finally {
      etcd.thaw();
    }
    assertThat(eventuallyRenewed(lease)).isTrue();
  }

  @Test
  void aLeaseOutlivesARestartOfEtcd() throws Exception {
    Lease lease = registry.grant(LONG);
    registry.commit(put("a", lease));
    etcd.kill();
    assertThatThrownBy(lease::renew).isInstanceOf(RegistryException.class);
    etcd.restart();
    assertThat(eventuallyRenewed(lease)).isTrue();
    assertThat(registry.get("a")).isPresent();
  }

  /** Once the connection knows that nobody listens, it lets nothing begin. */
  @Test
  void aRenewalThatNobodyTakesFailsAtOnceAndTheNextOnesAreInTime() throws Exception {
    Lease lease = registry.grant(LONG);
    assertThat(eventuallyRenewed(lease)).isTrue();
    etcd.kill();
    // Another process that looks for a free port may listen there for a moment.
    Await.until(() ->
        Stream.generate(() -> whyNotRenewed(lease)).limit(3).allMatch(why -> why.contains(NOBODY)));
    etcd.restart();
    assertThat(eventuallyRenewed(lease)).isTrue();
  }

  private static String whyNotRenewed(Lease lease) {
    try {
      return "renewed: " + lease.renew();
    } catch (RegistryException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** As the holder of a lease does, but that more time passes in between. */
  private boolean eventuallyRenewed(Lease lease) throws InterruptedException {
    return Await.value(() -> renewed(lease), Optional::isPresent).orElseThrow();
  }

  private Optional<Boolean> renewed(Lease lease) {
    try {
      return Optional.of(lease.renew());
    } catch (RegistryException e) {
      clock.skip(Duration.ofSeconds(3));
      return Optional.empty();
    }
  }
}
