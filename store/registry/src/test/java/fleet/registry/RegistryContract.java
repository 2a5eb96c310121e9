package fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Delta.Change;
import fleet.registry.Outcome.Committed;
import fleet.registry.Outcome.Refused;
import fleet.registry.Transaction.Condition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every implementation of the registry. */
public abstract class RegistryContract {

  protected Registry registry;

  /** Opens the store of this test, empty the first time; there is one such handle at a time. */
  protected abstract Registry open();

  /** Makes the registry forget the changes up to its current revision. */
  protected abstract void forgetChanges();

  @BeforeEach
  void openFirst() {
    registry = open();
  }

  @AfterEach
  void closeLast() {
    registry.close();
  }

  private void reopen() {
    registry.close();
    registry = open();
  }

  private long revision() {
    return registry.read("").revision();
  }

  private long put(String key, String value) {
    return committed(Transaction.when().put(key, value));
  }

  private long committed(Transaction.Builder transaction) {
    Outcome outcome = registry.commit(transaction.build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  private void assertRefused(Transaction.Builder transaction, Condition because) {
    Snapshot before = registry.read("");
    Outcome outcome = registry.commit(transaction.build());
    assertThat(outcome).isEqualTo(new Refused(before.revision(), because));
    assertThat(registry.read("")).isEqualTo(before);
  }

  private static Change written(String key, String value, long created, long modified) {
    return new Change.Written(new Entry(key, value, created, modified));
  }

  @Test
  void aKeyKeepsTheRevisionThatMadeItAndThatOfItsLastWrite() {
    long made = put("a", "1");
    long changed = put("a", "2");
    assertThat(registry.get("a")).contains(new Entry("a", "2", made, changed));

    committed(Transaction.when().delete("a"));
    assertThat(registry.get("a")).isEmpty();

    long again = put("a", "3");
    assertThat(registry.get("a")).contains(new Entry("a", "3", again, again));
    assertThat(List.of(made, changed, again)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void allWritesOfATransactionShareItsRevision() {
    put("old", "x");
    long revision = committed(Transaction.when().put("a", "1").delete("old").put("b", "2"));
    assertThat(registry.read(""))
        .isEqualTo(
            new Snapshot(
                revision,
                List.of(
                    new Entry("a", "1", revision, revision),
                    new Entry("b", "2", revision, revision))));
  }

  @Test
  void writingTheSameValueIsAWrite() {
    long first = put("a", "1");
    assertThat(put("a", "1")).isGreaterThan(first);
  }

  @Test
  void whatChangesNothingLeavesTheRevision() {
    long revision = put("a", "1");
    assertThat(committed(Transaction.when().delete("missing"))).isEqualTo(revision);
    assertThat(committed(Transaction.when())).isEqualTo(revision);
    assertThat(committed(Transaction.when().absent("b"))).isEqualTo(revision);
    assertThat(revision()).isEqualTo(revision);
  }

  @Test
  void absentHoldsWhereTheKeyDoesNotExist() {
    committed(Transaction.when().absent("a").put("a", "1"));
    assertRefused(
        Transaction.when().absent("a").put("a", "2").put("b", "2"), new Condition.Absent("a"));
    committed(Transaction.when().delete("a"));
    committed(Transaction.when().absent("a").put("a", "3"));
  }

  @Test
  void unmodifiedHoldsUntilTheNextWrite() {
    put("a", "1");
    Entry seen = registry.get("a").orElseThrow();
    committed(Transaction.when().unmodified(seen).put("a", "2"));
    Condition broken = new Condition.Unmodified("a", seen.modified());
    assertRefused(Transaction.when().unmodified(seen).put("a", "3"), broken);
    committed(Transaction.when().delete("a"));
    assertRefused(Transaction.when().unmodified(seen).put("a", "3"), broken);
  }

  @Test
  void createdAtHoldsUntilTheKeyIsMadeAgain() {
    long created = put("a", "1");
    put("a", "2");
    committed(Transaction.when().createdAt("a", created).put("b", "1"));
    committed(Transaction.when().delete("a"));
    Condition broken = new Condition.CreatedAt("a", created);
    assertRefused(Transaction.when().createdAt("a", created).put("b", "2"), broken);
    put("a", "3");
    assertRefused(Transaction.when().createdAt("a", created).put("b", "2"), broken);
  }

  @Test
  void oneBrokenConditionOfSeveralRefusesAll() {
    long created = put("a", "1");
    assertRefused(
        Transaction.when().createdAt("a", created).absent("b").absent("a").put("c", "1"),
        new Condition.Absent("a"));
  }

  @Test
  void ofSeveralKeysThoseAreFoundThatAreThere() {
    List<Transaction> puts =
        IntStream.range(0, 300)
            .mapToObj(i -> Transaction.when().put("k" + i, "v" + i).build())
            .toList();
    assertThat(registry.commit(puts)).allMatch(Outcome.Committed.class::isInstance);
    Set<String> asked =
        IntStream.range(100, 400).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    Map<String, Entry> found = registry.get(asked);
    assertThat(found).hasSize(200);
    assertThat(found.get("k299")).isEqualTo(registry.get("k299").orElseThrow());
    assertThat(registry.get(Set.of())).isEmpty();
  }

  @Test
  void severalTransactionsAreCommittedEachByItself() {
    put("b", "1");
    List<Outcome> outcomes =
        registry.commit(
            List.of(
                Transaction.when().absent("a").put("a", "1").build(),
                Transaction.when().absent("b").put("b", "2").build(),
                Transaction.when().absent("c").put("c", "1").build()));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Committed.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Refused.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Committed.class);
    assertThat(registry.get(Set.of("a", "b", "c")))
        .extractingFromEntries(entry -> entry.getValue().value())
        .containsExactlyInAnyOrder("1", "1", "1");
  }

  @Test
  void aPrefixReadsItsKeysAloneInTheOrderOfTheirBytes() {
    String beyondUtf16 = "p/\ud83d\ude00";
    String lastOfUtf16 = "p/\uffee";
    for (String key : List.of("q", beyondUtf16, "p/b", "p", "p0", "p/a/c", lastOfUtf16, "p/")) {
      put(key, "");
    }
    assertThat(registry.read("p/").entries())
        .extracting(Entry::key)
        .containsExactly("p/", "p/a/c", "p/b", lastOfUtf16, beyondUtf16);
    assertThat(registry.read("").entries()).hasSize(8);
    assertThat(registry.read("none").entries()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\u0000", "a\u0000b", "\u00fc\u20ac\ud83d\ude00", "'\"\\%_\n\r\t"})
  void anyTextIsKeptAsItIs(String text) {
    put("key" + text, text);
    reopen();
    assertThat(registry.get("key" + text).orElseThrow().value()).isEqualTo(text);
    assertThat(registry.read("key").entries()).extracting(Entry::value).containsExactly(text);
  }

  @Test
  void aMegabyteIsKeptAsItIs() {
    String text = "0123456789abcde\n".repeat(1 << 16);
    put("large", text);
    assertThat(registry.get("large").orElseThrow().value()).isEqualTo(text);
  }

  @Test
  void halfACharacterIsRefusedAndNotReplaced() {
    assertThatThrownBy(() -> put("a", "\ud83d")).isInstanceOf(IllegalArgumentException.class);
    assertThat(registry.get("a")).isEmpty();
  }

  @Test
  void aTransactionThatWritesAKeyTwiceCannotBeMade() {
    assertThatThrownBy(() -> Transaction.when().put("a", "1").delete("a").build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Transaction.when().put("", "1").build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasCommittedIsThereAfterOpeningAgain() {
    put("a", "1");
    put("b", "2");
    committed(Transaction.when().delete("a"));
    Snapshot before = registry.read("");
    String id = registry.storeId();

    reopen();

    assertThat(registry.storeId()).isEqualTo(id).isNotBlank();
    assertThat(registry.read("")).isEqualTo(before);
    assertThat(put("c", "3")).isGreaterThan(before.revision());
  }

  @Test
  void aWatchSeesWhatCameBeforeItAndWhatComesAfter() {
    long start = put("p/a", "1");
    long second = put("p/a", "2");
    put("other", "x");
    long third = committed(Transaction.when().delete("p/a").put("other", "y").put("p/b", "3"));
    Recorder recorder = new Recorder();

    try (Watch _ = registry.watch("p/", at(start), recorder)) {
      assertThat(recorder.next())
          .isEqualTo(new Delta(second, List.of(written("p/a", "2", start, second))));
      assertThat(recorder.next())
          .isEqualTo(
              new Delta(
                  third, List.of(new Change.Deleted("p/a"), written("p/b", "3", third, third))));
      committed(Transaction.when().delete("p/missing").put("other", "z"));
      long last = put("p/c", "4");
      assertThat(recorder.next())
          .isEqualTo(new Delta(last, List.of(written("p/c", "4", last, last))));
    }
    recorder.assertNothingMore();
  }

  @Test
  void aWatchFromTheRevisionOfASnapshotJoinsIt() {
    put("a", "1");
    Snapshot snapshot = registry.read("");
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("", snapshot, recorder)) {
      long next = put("a", "2");
      assertThat(recorder.next().revision()).isEqualTo(next);
    }
    recorder.assertNothingMore();
  }

  @Test
  void aWatchFromWhatIsForgottenIsRefused() {
    long old = put("a", "1");
    put("a", "2");
    forgetChanges();
    assertThatThrownBy(() -> registry.watch("", at(old), new Recorder()))
        .isInstanceOf(CompactedException.class);
    registry.watch("", at(revision()), new Recorder()).close();
  }

  @Test
  void aWatchFromTheFutureIsRefused() {
    long future = put("a", "1") + 1;
    assertThatThrownBy(() -> registry.watch("", at(future), new Recorder()))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("another store");
  }

  @Test
  void aWatcherIsNotToldMoreOnceItsWatchIsClosed() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Recorder recorder =
        new Recorder() {
          @Override
          public void changed(Delta delta) {
            called.countDown();
            await(goOn);
            super.changed(delta);
          }
        };
    Watch watch = registry.watch("", at(revision()), recorder);
    long first = put("a", "1");
    put("a", "2");
    await(called);
    Thread closing = Thread.ofPlatform().start(watch::close);
    awaitWaiting(closing);
    assertBarrierPassed();
    assertThat(closing.isAlive()).as("still closes while its watcher is busy").isTrue();

    goOn.countDown();
    closing.join();
    assertThat(recorder.next().revision()).isEqualTo(first);
    put("a", "3");
    assertBarrierPassed();
    recorder.assertNothingMore();
  }

  @Test
  void aWatcherMayCloseItsOwnWatch() {
    CompletableFuture<Watch> own = new CompletableFuture<>();
    Recorder recorder =
        new Recorder() {
          @Override
          public void changed(Delta delta) {
            own.join().close();
            super.changed(delta);
          }
        };
    own.complete(registry.watch("", at(revision()), recorder));
    long first = put("a", "1");
    put("a", "2");
    assertThat(recorder.next().revision()).isEqualTo(first);
    assertBarrierPassed();
    recorder.assertNothingMore();
  }

  /** Another watch has been told of everything so far. */
  private void assertBarrierPassed() {
    Recorder other = new Recorder();
    try (Watch _ = registry.watch("", at(revision()), other)) {
      long last = put("barrier", "");
      assertThat(other.next().revision()).isEqualTo(last);
    }
  }

  @Test
  void aSlowWatcherHoldsUpNeitherCommitsNorOtherWatchers() {
    CountDownLatch goOn = new CountDownLatch(1);
    Recorder slow =
        new Recorder() {
          @Override
          public void changed(Delta delta) {
            await(goOn);
            super.changed(delta);
          }
        };
    Recorder quick = new Recorder();
    long start = revision();
    try (Watch _ = registry.watch("", at(start), slow);
        Watch _ = registry.watch("", at(start), quick)) {
      long last = 0;
      for (int i = 0; i < 50; i++) {
        last = put("a", "" + i);
      }
      List<Delta> all = quick.until(last);
      assertThat(all).hasSize(50);
      goOn.countDown();
      assertThat(slow.until(last)).isEqualTo(all);
    }
  }

  @Test
  void aWatcherThatThrowsHasFailed() {
    Recorder recorder =
        new Recorder() {
          @Override
          public void changed(Delta delta) {
            throw new IllegalStateException("on purpose");
          }
        };
    try (Watch _ = registry.watch("", at(revision()), recorder)) {
      put("a", "1");
      put("a", "2");
      assertThat(recorder.failure()).hasMessageContaining("on purpose");
      assertBarrierPassed();
    }
    recorder.assertNothingMore();
  }

  @Test
  void closingEndsWatchesAndRefusesWhatComesLater() {
    Recorder recorder = new Recorder();
    registry.watch("", at(revision()), recorder);
    registry.close();
    registry.close();

    assertThatThrownBy(() -> registry.get("a")).isInstanceOf(RegistryException.class);
    assertThatThrownBy(() -> registry.read("a")).isInstanceOf(RegistryException.class);
    assertThatThrownBy(() -> put("a", "1"))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> registry.watch("", at(0), recorder))
        .isInstanceOf(RegistryException.class);
    recorder.assertNothingMore();
  }

  @Test
  void aWatcherMayCloseTheRegistry() {
    Recorder recorder =
        new Recorder() {
          @Override
          public void changed(Delta delta) {
            registry.close();
            super.changed(delta);
          }
        };
    registry.watch("", at(revision()), recorder);
    long first = put("a", "1");
    assertThat(recorder.next().revision()).isEqualTo(first);
    recorder.assertNothingMore();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void concurrentCommitsReadsAndWatchesAgreeWithAModel(long seed) throws Exception {
    new ConcurrentModel(registry, seed).run();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** No event tells that a thread has come to where it waits for another. */
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  private static Snapshot at(long revision) {
    return new Snapshot(revision, List.of());
  }
}
