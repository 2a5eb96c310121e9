package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Intent;
import fleet.cluster.StartResult;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.Isolation;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The leading engine, and machines that speak through the store. */
class SharedStoreTest extends SharedStoreFixture {
  @Test
  void aPlanDoesNotWaitForWhatOthersWriteIntoTheSameEtcd() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    store.writtenByOthers(1000);
    assertThat(cluster.plan(new Intent.Destroy(Set.of(WEB))).changes()).isNotEmpty();
  }

  // ---- who leads

  @Test
  void anEngineThatWasDeposedWritesNothing() throws Exception {
    StoredMachine m1 = machine("m1");
    var tried = new CompletableFuture<Outcome>();
    store.interfere(transaction -> {
      if (!conditioned(transaction, Keys.LEADER)) {
        return Optional.empty();
      }
      leaderKey();
      tried.complete(registry.commit(transaction));
      return Optional.of(tried.join());
    });
    launch(WEB, SLEEP);
    assertThat(tried.get())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.condition().key()).isEqualTo(Keys.LEADER));
    store.interfere(_ -> Optional.empty());
    launch(OTHER, SLEEP);
    assertThat(view(OTHER).machine()).isEmpty();
    cluster.close();
    lead(new Term(leaderKey(), true));
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
  }

  @Test
  void everyWriteOfTheLeaderIsFenced() throws Exception {
    var unfenced = new AtomicInteger();
    store.interfere(transaction -> {
      boolean ofTheLeader =
          transaction.writes().stream()
              .anyMatch(write ->
                  write.key().startsWith(Keys.SCHEDULES)
                      || (write instanceof Transaction.Write.Delete
                          && write.key().startsWith(Keys.FILES)));
      if (ofTheLeader && !conditioned(transaction, Keys.LEADER)) {
        unfenced.incrementAndGet();
      }
      return Optional.empty();
    });
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.destroy(WEB, CALLER);
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    var _ =
        store.await(
            "no file", entries -> entries.keySet().stream().noneMatch(k -> k.startsWith("file/")));
    assertThat(unfenced).hasValue(0);
  }

  private static boolean conditioned(Transaction transaction, String key) {
    return transaction.conditions().stream().anyMatch(condition -> condition.key().equals(key));
  }

  // ---- writes that do not go as they should

  @Test
  void aPlacementThatHappenedThoughTheAnswerWasLostIsNotMadeAgain() throws Exception {
    StoredMachine m1 = machine("m1");
    var once = new AtomicBoolean(true);
    store.interfere(transaction -> {
      if (conditioned(transaction, Keys.placement(WEB)) && once.getAndSet(false)) {
        var _ = registry.commit(transaction);
        throw new OutcomeUnknownException("the store went away", new RuntimeException());
      }
      return Optional.empty();
    });
    launch(WEB, SLEEP);
    Entry first = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(first);
  }

  @Test
  void manyUnitsAreWrittenInSeveralBatchesAtATime() throws Exception {
    int units = 100;
    for (int i = 0; i < units; i++) {
      launch(UnitName.of("u" + i + ".service"), SLEEP);
    }
    var together = new CyclicBarrier(4);
    store.interfere(transaction -> {
      if (transaction.writes().stream().anyMatch(write -> write.key().startsWith(Keys.SCHEDULES))) {
        awaitOthers(together);
      }
      return Optional.empty();
    });
    StoredMachine m1 = machine("m1");
    for (int i = 0; i < units; i++) {
      m1.awaitTarget(UnitName.of("u" + i + ".service"), TargetState.LAUNCHED);
    }
    assertThat(together.isBroken()).isFalse();
  }

  private static void awaitOthers(CyclicBarrier together) {
    try {
      together.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneUnitThatCannotBeWrittenHoldsUpNoOther() throws Exception {
    StoredMachine m1 = machine("m1");
    store.interfere(transaction -> {
      if (conditioned(transaction, Keys.placement(WEB))) {
        throw new RegistryException("no room for " + WEB);
      }
      return Optional.empty();
    });
    launch(WEB, SLEEP);
    for (int i = 0; i < 50; i++) {
      launch(UnitName.of("u" + i + ".service"), SLEEP);
    }
    for (int i = 0; i < 50; i++) {
      m1.awaitTarget(UnitName.of("u" + i + ".service"), TargetState.LAUNCHED);
    }
    assertThat(registry.get(Keys.placement(WEB))).isEmpty();
    store.interfere(_ -> Optional.empty());
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aPlacementWithoutEntryIsToldAndLeftAlone() throws Exception {
    put(
        Keys.placement(WEB),
        new PlacementRecord("m9", new Incarnation("i"), Clock.systemUTC().instant(), "").json());
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .contains("placement/web.service")
        .contains("m9");
    var _ = registry.commit(Transaction.when().delete(Keys.placement(WEB)).build());
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  // ---- what changes while it is decided

  @Test
  void aUnitThatIsDestroyedWhileItsPlaceIsWrittenComesToNoMachine() throws Exception {
    StoredMachine m1 = machine("m1");
    var written = new ConcurrentLinkedQueue<Outcome>();
    store.interfere(transaction -> {
      if (!places(transaction, WEB)) {
        return Optional.empty();
      }
      assertThat(cluster.destroy(WEB, CALLER)).isTrue();
      Outcome outcome = registry.commit(transaction);
      written.add(outcome);
      return Optional.of(outcome);
    });

    launch(WEB, SLEEP);
    launch(OTHER, SLEEP);

    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(written).singleElement().isInstanceOf(Outcome.Refused.class);
    assertThat(registry.get(Keys.schedule("m1", WEB))).isEmpty();
  }

  @Test
  void anotherStartThatIsAskedForWhileThePlaceIsWrittenIsMadeAtOnce() throws Exception {
    StoredMachine m1 = machine("m1");
    var first = new AtomicBoolean(true);
    store.interfere(transaction -> {
      if (places(transaction, WEB) && first.getAndSet(false)) {
        assertThat(cluster.restart(WEB, CALLER)).isEqualTo(StartResult.ACCEPTED);
      }
      return Optional.empty();
    });

    launch(WEB, SLEEP);

    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(ScheduleRecord.of(entry).restartCounter()).isEqualTo(2);
  }

  private static boolean places(Transaction transaction, UnitName unit) {
    return transaction.writes().stream()
        .anyMatch(write ->
            write instanceof Transaction.Write.Put && write.key().equals(Keys.placement(unit)));
  }

  // ---- what cannot be read

  @Test
  void aUnitThatCannotBeReadIsLeftAloneAndEverythingElseGoesOn() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    String good = registry.get(Keys.unit(WEB)).orElseThrow().value();
    put(Keys.unit(WEB), "garbage");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .contains("unit/web.service");
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    put(Keys.unit(WEB), good);
    awaitView(WEB, view -> view.waiting().isEmpty());
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void anEntryThatCannotBeReadIsLeftAloneAlsoByANewLeader() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    long broken = put(entry.key(), "{\"format\":99}");
    cluster.close();
    lead(new Term(leaderKey(), true));
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting()).contains("upgrade");
    cluster.destroy(WEB, CALLER);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(entry.key()).orElseThrow().modified()).isEqualTo(broken);
    put(entry.key(), entry.value());
    m1.awaitTarget(WEB, TargetState.STOPPING);
  }

  @Test
  void aMachineThatCannotBeReadKeepsItsUnitsAndGetsNone() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    put(Keys.machine("m1"), "garbage");
    put(Keys.machine("m0"), "garbage");
    launch(OTHER, SLEEP);
    awaitView(OTHER, view -> view.waiting().contains("no machine"));
    cluster.close();
    lead(new Term(leaderKey(), true), EngineSettings.of(Duration.ofMillis(1)));
    StoredMachine m2 = machine("m2");
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    machine("m1");
    UnitName pinned = UnitName.of("pinned.service");
    launch(pinned, file("[X-Fleet]\nMachineID=m1\n"));
    m1.awaitTarget(pinned, TargetState.LAUNCHED);
  }

  @Test
  void settingsThatCannotBeReadMoveNothing() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"), Isolation.KEEP);
    launch(WEB, file("[X-Fleet]\nMachineMetadata=region=eu\n"));
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    put(Keys.settings("m1"), "garbage");
    StoredMachine m2 = machine("m2");
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void aUnitWaitsForItsFile() throws Exception {
    StoredMachine m1 = machine("m1");
    cluster.put(WEB, Optional.of(SLEEP), Optional.empty(), CALLER);
    Entry file = registry.read(Keys.FILES).entries().getFirst();
    cluster.close();
    put(file.key(), "garbage");
    lead(new Term(leaderKey(), true));
    cluster.put(WEB, Optional.empty(), Optional.of(DesiredState.LAUNCHED), CALLER);
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting()).contains(file.key());
    put(file.key(), file.value());
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void keysThatNameNoUnitHurtNobody() throws Exception {
    put(Keys.UNITS + "no unit", "{}");
    put(Keys.SCHEDULES + "m1", "{}");
    put(Keys.STATES + "x", "{}");
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    var _ =
        registry.commit(
            Transaction.when()
                .delete(Keys.UNITS + "no unit")
                .delete(Keys.SCHEDULES + "m1")
                .build());
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
  }
}
