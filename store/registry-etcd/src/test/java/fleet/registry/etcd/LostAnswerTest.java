package fleet.registry.etcd;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Outcome.Committed;
import fleet.registry.Outcome.Refused;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.Recorder;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits whose answer does not arrive. */
class LostAnswerTest {

  @RegisterExtension static final SharedEtcd ETCD = new SharedEtcd();

  private EtcdServer etcd;
  private FaultProxy proxy;
  private EtcdRegistry direct;
  private EtcdRegistry registry;

  @BeforeEach
  void start() throws Exception {
    etcd = ETCD.server();
    proxy = new FaultProxy(etcd.client());
    direct = Registries.open(etcd.client(), ETCD, "direct", Duration.ofSeconds(5));
    registry = Registries.open(proxy.uri(), ETCD, "proxied", Duration.ofSeconds(2));
  }

  @AfterEach
  void end() throws Exception {
    proxy.heal();
    proxy.close();
    registry.close();
    direct.close();
  }

  /** One that gives up soon, even though a busy machine may answer after that. */
  private static EtcdRegistry hasty(URI etcd) throws InterruptedException {
    EtcdOptions options =
        Registries.options(
            List.of(etcd), ETCD.prefix(), "hasty", Duration.ofMillis(300), Duration.ofMillis(500));
    EtcdRegistry hasty = Registries.eventually(() -> EtcdRegistry.open(options));
    var _ = Registries.eventually(() -> hasty.commit(put("warm", "up")));
    return hasty;
  }

  private static Transaction put(String key, String value) {
    return Transaction.when().put(key, value).build();
  }

  private CompletableFuture<Outcome> inBackground(Transaction transaction) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            outcome.complete(registry.commit(transaction));
          } catch (RuntimeException e) {
            outcome.completeExceptionally(e);
          }
        });
    return outcome;
  }

  @Test
  void aCommitThatHappenedIsRecognised() {
    registry.commit(put("warm", "up"));
    Recorder recorder = new Recorder();
    try (Watch _ = direct.watch("a", direct.read(""), recorder)) {
      proxy.holdAnswers();
      CompletableFuture<Outcome> outcome = inBackground(put("a", "1"));
      Delta delta = recorder.next();
      direct.commit(put("a", "2"));
      proxy.resetAll();

      assertThat(outcome.join()).isEqualTo(new Committed(delta.revision()));
      assertThat(direct.get("a")).map(Entry::value).contains("2");
    }
  }

  @Test
  void aRefusalIsDecidedAgain() throws Exception {
    registry.commit(put("a", "1"));
    proxy.holdRequests();
    proxy.holdAnswers();
    Transaction refused = Transaction.when().absent("a").put("a", "2").build();
    CompletableFuture<Outcome> outcome = inBackground(refused);
    proxy.awaitHeldRequest(ETCD.prefix() + "a");
    proxy.resetAll();

    assertThat(outcome.join()).isInstanceOf(Refused.class);
    assertThat(direct.get("a")).map(Entry::value).contains("1");
  }

  @Test
  void aRequestThatArrivesAfterItsEndWasSettledDoesNothing() throws Exception {
    registry.commit(put("warm", "up"));
    proxy.holdRequests();
    CompletableFuture<Outcome> outcome = inBackground(put("a", "1"));
    FaultProxy.Wire wire = proxy.awaitHeldRequest(ETCD.prefix() + "a");
    wire.breakNear();
    assertThat(outcome.join()).isInstanceOf(Committed.class);
    direct.commit(put("a", "2"));
    long before = direct.read("").revision();

    wire.letGo();

    assertThat(direct.get("a")).map(Entry::value).contains("2");
    assertThat(direct.read("").revision()).isEqualTo(before);
    assertThat(registry.commit(put("a", "3"))).isInstanceOf(Committed.class);
  }

  @Test
  void aRequestOfAKilledWriterThatArrivesAfterItsSuccessorWroteDoesNothing() throws Exception {
    direct.commit(put("a", "1"));
    // Waits for its answer until the end, as one that is killed would for ever.
    try (EtcdRegistry killed =
        Registries.open(proxy.uri(), ETCD, "writer", Duration.ofSeconds(60))) {
      killed.commit(put("warm", "up"));
      proxy.holdRequests();
      CompletableFuture<Outcome> underWay =
          CompletableFuture.supplyAsync(() -> killed.commit(put("a", "of the killed one")));
      FaultProxy.Wire wire = proxy.awaitHeldRequest(ETCD.prefix() + "a");
      try (EtcdRegistry successor =
          Registries.open(etcd.client(), ETCD, "writer", Duration.ofSeconds(2))) {
        successor.commit(put("b", "1"));
        long before = direct.read("").revision();

        // A killed process does not hear that its request came too late, nor tries again.
        proxy.holdAnswers();
        wire.letGo();

        assertThat(direct.read("").revision()).isEqualTo(before);
        assertThat(direct.get("a")).map(Entry::value).contains("1");
      } finally {
        proxy.heal();
        underWay.join();
      }
    }
  }

  /** Each committed addition counts once, whatever happened to its connection. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void additionsThroughABreakingWireAddUp(long seed) throws Exception {
    registry.commit(put("sum", "0"));
    Random random = new Random(seed);
    int committers = 6;
    int additions = 10;
    Semaphore committed = new Semaphore(0);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < committers; i++) {
        String own = "own/" + i;
        running.add(
            threads.submit(() -> {
              for (int n = 1; n <= additions; n++) {
                addOne();
                committed.release();
                registry.commit(put(own, "" + n));
                committed.release();
              }
            }));
      }
      // Something was answered in between, so the next breaks off while it works.
      for (int i = 0; i < 20 && committed.tryAcquire(1 + random.nextInt(5), 1, MINUTES); i++) {
        proxy.resetAll();
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertThat(direct.get("sum")).map(Entry::value).contains("" + committers * additions);
    assertThat(direct.read("own/").entries())
        .hasSize(committers)
        .allMatch(entry -> entry.value().equals("" + additions));
  }

  private void addOne() {
    Outcome outcome;
    do {
      Entry sum = registry.get("sum").orElseThrow();
      String next = "" + (Integer.parseInt(sum.value()) + 1);
      outcome = registry.commit(Transaction.when().unmodified(sum).put("sum", next).build());
    } while (outcome instanceof Refused);
  }

  @Test
  void aKilledEtcdThatComesBackLosesNothingAndDoublesNothing() throws Exception {
    registry.commit(put("sum", "0"));
    CompletableFuture<Integer> added = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> back = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            int count = 0;
            while (!back.isDone() || count == 0) {
              addOne();
              count++;
              begun.complete(null);
            }
            added.complete(count);
          } catch (RuntimeException e) {
            begun.complete(null);
            added.completeExceptionally(e);
          }
        });
    begun.join();
    etcd.kill();
    etcd.restart();
    back.complete(null);

    assertThat(direct.get("sum")).isPresent();
    int count = added.join();
    assertThat(direct.get("sum")).map(Entry::value).contains("" + count);
  }

  @Test
  void anOutcomeThatCannotBeLearntIsSaidToBeUnknown() throws Exception {
    try (EtcdRegistry hasty = hasty(etcd.client())) {
      etcd.freeze();
      try {
        assertThatThrownBy(() -> hasty.commit(put("a", "1")))
            .isInstanceOf(OutcomeUnknownException.class)
            .hasMessageContaining("did not answer in time")
            .hasMessageContaining("not known");
      } finally {
        etcd.thaw();
      }
      Outcome next = Registries.eventually(() -> hasty.commit(put("b", "1")));
      assertThat(next).isInstanceOf(Committed.class);
      assertThat(direct.get("a").map(Entry::modified).orElse(0L)).isLessThan(next.revision());
    }
  }

  @Test
  void nothingIsWrittenWhereEtcdCannotBeReached() throws Exception {
    try (EtcdRegistry hasty = hasty(proxy.uri())) {
      etcd.kill();
      assertThatThrownBy(() -> hasty.commit(put("a", "2")))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining(proxy.uri().toString());
    }
  }
}
