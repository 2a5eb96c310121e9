package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Delta;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of two endpoints stops to answer and says no goodbye: which of the two is a test's number.
 */
class SilentMemberTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  @TempDir Path directory;

  private final List<FaultProxy> proxies = new ArrayList<>();
  private EtcdServer etcd;
  private EtcdRegistry registry;

  @BeforeEach
  void open() throws Exception {
    etcd = EtcdServer.start(directory);
    proxies.add(new FaultProxy(etcd.client()));
    proxies.add(new FaultProxy(etcd.client()));
    registry = Registries.open(proxies.stream().map(FaultProxy::uri).toList(), "one", TIMEOUT);
    commit("warm up");
  }

  @AfterEach
  void close() throws Exception {
    registry.close();
    for (FaultProxy proxy : proxies) {
      proxy.close();
    }
    etcd.close();
  }

  private long commit(String value) {
    Outcome outcome = registry.commit(Transaction.when().put("a", value).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWriteTakesNoLongerThanOneTimeOutMore(int silent) {
    proxies.get(silent).silence();
    long began = System.nanoTime();
    commit("1");
    assertThat(since(began)).isLessThan(TIMEOUT.plusSeconds(1));
    long next = System.nanoTime();
    commit("2");
    assertThat(since(next)).as("it is not asked again").isLessThan(TIMEOUT);
  }

  /** Three renewals in the time of the shortest TTL there is: one that hangs costs no lease. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aRenewalBesideOneThatHangsTakesTheOtherWay(int silent) throws Exception {
    Lease lease = registry.grant(Duration.ofSeconds(3));
    proxies.get(silent).silence();
    CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(lease::renew);
    if (isDoneWithin(first, Duration.ofMillis(800))) {
      // It was sent to the one that answers.
      return;
    }
    long began = System.nanoTime();
    assertThat(lease.renew()).isTrue();
    assertThat(since(began)).isLessThan(Duration.ofSeconds(1));
  }

  private static boolean isDoneWithin(CompletableFuture<?> coming, Duration time) throws Exception {
    try {
      Object _ = coming.get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** Sooner than gRPC misses its sign of life, which takes 10 s. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWatchGoesOnElsewhereAsSoonAsRequestsTellOfTheSilence(int silent) throws Exception {
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("a", registry.read(""), recorder)) {
      proxies.get(silent).silence();
      long began = System.nanoTime();
      CompletableFuture<Delta> told = CompletableFuture.supplyAsync(recorder::next);
      long first = commit("0");
      while (!isDoneWithin(told, Duration.ofMillis(300))) {
        commit("again");
      }
      assertThat(told.get().revision()).isEqualTo(first);
      assertThat(since(began)).isLessThan(Duration.ofSeconds(8));
    }
  }

  @Test
  void bothInTurn() {
    for (int round = 0; round < 3; round++) {
      for (FaultProxy proxy : proxies) {
        proxy.silence();
        commit("silent");
        proxy.heal();
        commit("healed");
      }
    }
  }
}
