package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.etcd.EtcdOptions.Login;
import fleet.registry.etcd.EtcdOptions.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;

/** How tests come to an etcd that may refuse them. */
final class TestRegistries {

  /** An etcd that refuses does so much sooner. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  private TestRegistries() {}

  static EtcdRegistry open(URI etcd, String prefix, Optional<Login> login, Optional<Tls> tls) {
    return EtcdRegistry.open(options(etcd, prefix, TIMEOUT, PATIENCE, login, tls));
  }

  /** Gives up soon: for a refusal that does not pass. */
  static EtcdOptions impatient(URI etcd, String prefix, Optional<Login> login, Optional<Tls> tls) {
    return options(etcd, prefix, TIMEOUT, SHORT, login, tls);
  }

  private static EtcdOptions options(
      URI etcd,
      String prefix,
      Duration timeout,
      Duration patience,
      Optional<Login> login,
      Optional<Tls> tls) {
    return new EtcdOptions(
        List.of(etcd),
        prefix,
        "one",
        timeout,
        patience,
        login,
        tls,
        EtcdOptions.DEFAULT_QUOTA,
        Optional.empty());
  }

  static void assertWorks(EtcdRegistry registry) {
    assertWorks(registry, "1");
  }

  static void assertWorks(EtcdRegistry registry, String value) {
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("a", registry.read(""), recorder)) {
      var outcome = registry.commit(Transaction.when().put("a", value).build());
      assertThat(outcome).isInstanceOf(Committed.class);
      assertThat(recorder.next().revision()).isEqualTo(outcome.revision());
    }
  }

  static AbstractThrowableAssert<?, ?> assertRefused(
      URI etcd, String prefix, Optional<Login> login, Optional<Tls> tls) {
    return assertRefused(etcd, impatient(etcd, prefix, login, tls));
  }

  /** For an etcd that says nothing. */
  static AbstractThrowableAssert<?, ?> assertGivenUp(URI etcd) {
    return assertRefused(
        etcd, options(etcd, "/fleet/", SHORT, SHORT, Optional.empty(), Optional.empty()));
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(URI etcd, EtcdOptions options) {
    return assertThatThrownBy(() -> EtcdRegistry.open(options).close())
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("etcd at " + etcd)
        .hasMessageNotContaining("\n");
  }
}
