package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.registry.Delta;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of two endpoints stops to answer and says no goodbye: which of the two is a test's number.
 * {@link EtcdEndpointsTest} holds after how much time each thing happens.
 */
class SilentMemberTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  private final List<FaultProxy> proxies = new ArrayList<>();
  private final SkippedClock clock = new SkippedClock();
  private Optional<EtcdRegistry> opened = Optional.empty();

  @BeforeEach
  void makeWays() throws Exception {
    proxies.add(new FaultProxy(ETCD.server().client()));
    proxies.add(new FaultProxy(ETCD.server().client()));
  }

  private EtcdRegistry open(Duration timeout) {
    EtcdRegistry registry =
        Registries.open(
            proxies.stream().map(FaultProxy::uri).toList(), ETCD, "one", timeout, clock);
    opened = Optional.of(registry);
    commit(registry, "warm up");
    return registry;
  }

  @AfterEach
  void close() throws Exception {
    opened.ifPresent(EtcdRegistry::close);
    for (FaultProxy proxy : proxies) {
      proxy.close();
    }
  }

  private static long commit(EtcdRegistry registry, String value) {
    Outcome outcome = registry.commit(Transaction.when().put("a", value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWriteTakesNoLongerThanOneTimeOutMore(int silent) {
    EtcdRegistry registry = open(Duration.ofSeconds(5));
    FaultProxy lost = proxies.get(silent);
    lost.silence();
    commit(registry, "the first");
    assertThat(lost.heldRequests("the first")).isLessThanOrEqualTo(1);
    commit(registry, "the second");
    assertThat(lost.heldRequests("the second")).as("it is not asked again").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aRenewalBesideOneThatHangsTakesTheOtherWay(int silent) throws Exception {
    Lease lease = open(Duration.ofSeconds(5)).grant(Duration.ofMinutes(1));
    proxies.get(silent).silence();
    List<CompletableFuture<Boolean>> renewals = new ArrayList<>();
    Await.until(() -> {
      renewals.add(CompletableFuture.supplyAsync(lease::renew, Thread::startVirtualThread));
      clock.skip(Duration.ofSeconds(1));
      return renewals.stream().anyMatch(CompletableFuture::isDone);
    });
    assertThat(CompletableFuture.anyOf(renewals.toArray(CompletableFuture[]::new)).join())
        .isEqualTo(true);
  }

  /** gRPC itself misses its sign of life only after 10 s. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWatchGoesOnElsewhereAsSoonAsRequestsTellOfTheSilence(int silent) throws Exception {
    EtcdRegistry registry = open(SHORT);
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("a", registry.read(""), recorder)) {
      proxies.get(silent).silence();
      CompletableFuture<Delta> told =
          CompletableFuture.supplyAsync(recorder::next, Thread::startVirtualThread);
      long first = commit(registry, "0");
      Await.until(() -> {
        clock.skip(Duration.ofSeconds(5));
        commit(registry, "again");
        return told.isDone();
      });
      assertThat(told.get().revision()).isEqualTo(first);
    }
  }

  @Test
  void bothInTurn() {
    EtcdRegistry registry = open(SHORT);
    for (int round = 0; round < 3; round++) {
      for (FaultProxy proxy : proxies) {
        proxy.silence();
        commit(registry, "silent");
        proxy.heal();
        commit(registry, "healed");
      }
    }
  }
}
