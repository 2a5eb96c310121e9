package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Outcome.Committed;
import fleet.registry.Outcome.Refused;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import io.etcd.jetcd.Client;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Much at once, and much in one. */
class LoadTest {

  private static final String MEGABYTE = "x".repeat(1 << 20);

  @TempDir Path directory;
  private EtcdServer etcd;
  private EtcdRegistry registry;

  @BeforeEach
  void start() throws Exception {
    etcd = EtcdServer.start(directory);
    registry = Registries.open(etcd.client());
  }

  @AfterEach
  void end() {
    registry.close();
    etcd.close();
  }

  private List<Outcome> atOnce(List<Transaction> transactions) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Outcome>> calls =
          transactions.stream().<Callable<Outcome>>map(one -> () -> registry.commit(one)).toList();
      return threads.invokeAll(calls).stream().map(Future::resultNow).toList();
    }
  }

  @Test
  void commitsShareRequestsAndARefusalHurtsNoOther() throws Exception {
    registry.commit(Transaction.when().put("taken", "").build());
    List<Transaction> transactions =
        IntStream.range(0, 1_000)
            .mapToObj(i -> {
              Transaction.Builder builder = Transaction.when().put("k/" + i, "" + i);
              return i % 10 == 0 ? builder.absent("taken").build() : builder.build();
            })
            .toList();

    List<Outcome> outcomes = atOnce(transactions);

    for (int i = 0; i < 1_000; i++) {
      assertThat(outcomes.get(i)).isInstanceOf(i % 10 == 0 ? Refused.class : Committed.class);
    }
    assertThat(outcomes.stream().map(Outcome::revision).distinct())
        .as("requests for a thousand commits")
        .hasSizeLessThan(200);
    assertThat(registry.read("k/").entries()).hasSize(900);
  }

  /** Each would forbid the other, had it come first. */
  @Test
  void commitsThatRuleEachOtherOutDoNotHappenTogether() throws Exception {
    for (int i = 0; i < 50; i++) {
      String left = i + "/left";
      String right = i + "/right";
      List<Outcome> outcomes =
          atOnce(
              List.of(
                  Transaction.when().absent(right).put(left, "").build(),
                  Transaction.when().absent(left).put(right, "").build()));
      assertThat(outcomes).filteredOn(Committed.class::isInstance).hasSize(1);
    }
  }

  @Test
  void aTransactionMayBeAsLargeAsEtcdTakesAndNoLarger() {
    assertThat(registry.commit(writes(124))).isInstanceOf(Committed.class);
    assertThat(registry.read("w/").entries()).hasSize(124);
    assertThatThrownBy(() -> registry.commit(writes(200)))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("nothing written")
        .hasMessageContaining("--max-txn-ops");
    Transaction huge = Transaction.when().put("a", MEGABYTE).put("b", MEGABYTE).build();
    assertThatThrownBy(() -> registry.commit(huge))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("nothing written")
        .hasMessageContaining("--max-request-bytes");
    assertThat(registry.read("w/").entries()).hasSize(124);
    assertThat(registry.get("a")).isEmpty();
  }

  private static Transaction writes(int count) {
    Transaction.Builder builder = Transaction.when();
    IntStream.range(0, count).forEach(i -> builder.put("w/" + i, ""));
    return builder.build();
  }

  @Test
  void manyPagesAreReadAtOneRevision() throws Exception {
    atOnce(
        IntStream.range(0, 1_700)
            .mapToObj(i -> Transaction.when().put("p/%04d".formatted(i), "0").build())
            .toList());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // The first and the last key are always written together.
      Future<?> writing =
          threads.submit(() -> {
            for (int i = 1; i <= 100; i++) {
              registry.commit(
                  Transaction.when().put("p/0000", "" + i).put("p/1699", "" + i).build());
            }
          });
      while (!writing.isDone()) {
        Snapshot snapshot = registry.read("p/");
        assertThat(snapshot.entries())
            .hasSize(1_700)
            .isSortedAccordingTo((a, b) -> a.key().compareTo(b.key()));
        assertThat(snapshot.entries().getFirst().value())
            .isEqualTo(snapshot.entries().getLast().value());
      }
      writing.get();
    }
  }

  /** Holds its first call until told. */
  private static final class Slow extends Recorder {
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void changed(Delta delta) {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.changed(delta);
    }
  }

  private long putMegabytes(int count) {
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = registry.commit(Transaction.when().put("large", i + MEGABYTE).build()).revision();
    }
    return last;
  }

  @Test
  void aWatcherFarBehindIsToldAllTheSame() {
    Slow slow = new Slow();
    try (Watch _ = registry.watch("", registry.read(""), slow)) {
      long last = putMegabytes(40);
      slow.goOn.countDown();
      assertThat(slow.until(last)).hasSize(40);
    }
    slow.assertNothingMore();
  }

  @Test
  void aWatcherSoFarBehindThatEtcdHasForgottenIsToldTheDifference() {
    Slow slow = new Slow();
    try (Watch _ = registry.watch("", registry.read(""), slow);
        Client client = Client.builder().endpoints(etcd.client()).build()) {
      long last = putMegabytes(40);
      client.getKVClient().compact(last).join();
      slow.goOn.countDown();
      Entry large = registry.get("large").orElseThrow();
      assertThat(slow.until(last))
          .hasSizeLessThan(40)
          .last()
          .isEqualTo(new Delta(last, List.of(new Change.Written(large))));
    }
    slow.assertNothingMore();
  }
}
