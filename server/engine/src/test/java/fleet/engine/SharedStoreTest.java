package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.CompositeCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.schedule.Target;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.engine.decide.StormBrake;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import fleet.registry.records.ScheduleRecord;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The leading engine, and machines that speak through the store. */
class SharedStoreTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName OTHER = UnitName.of("other.service");
  private static final StormBrake.Settings NO_STORMS =
      new StormBrake.Settings(100, 3, Duration.ofHours(1), Duration.ofHours(1));
  private static final Caller CALLER = new Caller("test");
  private static final UnitFile SLEEP = file("[Service]\nExecStart=/bin/sleep 1000\n");

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private ScriptedStore store;
  private CurrentCluster cluster;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    lead(
        new Term(leaderKey(), true),
        EngineSettings.of(Duration.ofHours(1)),
        new LocalCoordination());
  }

  /** Makes this the leader, as far as the store goes. */
  private long leaderKey() {
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    return put(Keys.LEADER, "{}");
  }

  private void lead(Term term) {
    lead(term, EngineSettings.of(Duration.ofHours(1)));
  }

  private void lead(Term term, EngineSettings settings) {
    lead(term, settings, new LocalCoordination());
  }

  private void lead(Term term, EngineSettings settings, EngineCoordination coordination) {
    cluster =
        new CurrentCluster(
            store,
            coordination,
            Certainty.ALWAYS,
            settings,
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    cluster.lead(term);
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }

  @Test
  void aPlanDoesNotWaitForWhatOthersWriteIntoTheSameEtcd() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.running(m1.awaitTarget(WEB, Target.LAUNCHED));
    store.writtenByOthers(1000);
    assertThat(cluster.plan(new Intent.Destroy(Set.of(WEB))).changes()).isNotEmpty();
  }

  // ---- machines

  @Test
  void aMachinesStateIsWhatItStored() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    m1.running(entry);
    awaitView(WEB, view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
    assertThat(cluster.states(WEB)).hasSize(1);
    m1.withdraw(WEB);
    awaitView(WEB, view -> view.current().equals(Optional.of(DesiredState.INACTIVE)));
    assertThat(cluster.states(WEB)).isEmpty();
  }

  @Test
  void unitsOfAMachineThatFallsSilentRunElsewhereAtOnce() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.running(m1.awaitTarget(WEB, Target.LAUNCHED));
    StoredMachine m2 = machine("m2");
    m1.silent();
    m2.awaitTarget(WEB, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).isEmpty();
    assertThat(PlacementRecord.of(registry.get(Keys.placement(WEB)).orElseThrow()).machine())
        .isEqualTo("m2");
    assertThat(cluster.machines()).hasSize(1);
  }

  @Test
  void aMachineThatStopsItsUnitsByItselfIsGivenTimeToDoSo() throws Exception {
    cluster.close();
    lead(
        new Term(leaderKey(), true),
        EngineSettings.of(Duration.ofHours(1))
            .withIsolationMargin(Duration.ofHours(1))
            .withStorm(NO_STORMS));
    StoredMachine stops = machine("m1", Map.of(), Isolation.STOP);
    launch(WEB, SLEEP);
    stops.awaitTarget(WEB, Target.LAUNCHED);
    StoredMachine keeps = machine("m2");
    launch(OTHER, SLEEP);
    keeps.awaitTarget(OTHER, Target.LAUNCHED);
    StoredMachine m3 = machine("m3");
    stops.silent();
    keeps.silent();
    m3.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).isPresent();
  }

  @Test
  void aMachineThatLeftWithNothingRunningIsNotWaitedFor() throws Exception {
    cluster.close();
    lead(
        new Term(leaderKey(), true),
        EngineSettings.of(Duration.ofHours(1)).withIsolationMargin(Duration.ofHours(1)));
    StoredMachine stops = machine("m1", Map.of(), Isolation.STOP);
    launch(WEB, SLEEP);
    stops.awaitTarget(WEB, Target.LAUNCHED);
    StoredMachine m2 = machine("m2");
    stops.present(Map.of(), Isolation.KEEP).silent();
    m2.awaitTarget(WEB, Target.LAUNCHED);
  }

  @Test
  void whoWaitsForADepartureIsNotForgottenWhereTheEngineEnds() throws Exception {
    cluster.close();
    Duration patience = Duration.ofMinutes(41);
    var waits = new CompletableFuture<Void>();
    cluster =
        new CurrentCluster(
            store,
            new LocalCoordination(),
            Certainty.ALWAYS,
            EngineSettings.of(Duration.ofHours(1)),
            Clock.systemUTC(),
            (name, turnEnd) ->
                new WatchedLoop(
                    new EventThread(name, turnEnd),
                    delay -> {
                      if (delay.equals(patience)) {
                        waits.complete(null);
                      }
                    },
                    () -> {}),
            why -> {
              throw new AssertionError(why);
            });
    cluster.lead(new Term(leaderKey(), true));
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.awaitTarget(WEB, Target.LAUNCHED);
    var leaving = CompletableFuture.runAsync(() -> cluster.awaitDeparture("m1", patience));
    waits.get();
    cluster.retire("for a test");
    leaving.get();
  }

  @Test
  void aUnitThatCanGoNowhereElseStaysWithItsLostMachine() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, file("[X-Fleet]\nMachineID=m1\n"));
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    machine("m2");
    m1.silent();
    UnitView view = awaitView(WEB, waits -> !waits.waiting().isEmpty());
    assertThat(view.waiting()).contains("machine m1 is lost").contains("is not m1");
    assertThat(view.machine()).isEmpty();
    machine("m1");
    assertThat(awaitView(WEB, back -> back.waiting().isEmpty()).machine()).contains("m1");
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void whatIsDestroyedOnALostMachineIsForgotten() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.awaitTarget(WEB, Target.LAUNCHED);
    m1.silent();
    awaitView(WEB, view -> !view.waiting().isEmpty());
    cluster.destroy(WEB, CALLER);
    m1.awaitNothingOf(WEB);
    assertThat(registry.get(Keys.placement(WEB))).isEmpty();
  }

  @Test
  void aMachineThatIsBackBeforeItsUnitsWereMovedKeepsThem() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    machine("m2");
    var tried = new CompletableFuture<Outcome>();
    store.interfere(transaction -> {
      store.interfere(_ -> Optional.empty());
      machine("m1");
      tried.complete(registry.commit(transaction));
      return Optional.of(tried.join());
    });
    m1.silent();
    assertThat(tried.get()).isInstanceOf(Outcome.Refused.class);
    // One that is looked at later shows that the engine has come so far.
    launch(OTHER, SLEEP);
    awaitView(OTHER, view -> view.machine().isPresent());
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void aMachineThatChangesItsWordBeforeItWasHeardIsTakenAtTheLast() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    var tried = new CompletableFuture<Outcome>();
    store.interfere(transaction -> {
      store.interfere(_ -> Optional.empty());
      m1.running(entry);
      tried.complete(registry.commit(transaction));
      return Optional.of(tried.join());
    });
    m1.refused(entry, "systemd knows it from /etc/x");
    assertThat(tried.get()).isInstanceOf(Outcome.Refused.class);
    awaitView(WEB, view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void anAnswerCountsForTheEntryThatItNames() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry launched = m1.awaitTarget(WEB, Target.LAUNCHED);
    m1.running(launched);
    cluster.put(WEB, Optional.empty(), Optional.of(DesiredState.INACTIVE), CALLER);
    Entry stopping = m1.awaitTarget(WEB, Target.STOPPING);
    m1.gone(launched);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(stopping);
    m1.gone(stopping);
    m1.awaitNothingOf(WEB);
  }

  @Test
  void aRefusalIsKnownToTheNextLeaderAndTakenBackByDeletingIt() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.refused(m1.awaitTarget(WEB, Target.LAUNCHED), "systemd knows it from /etc/x");
    awaitView(WEB, UnitView::refused);
    cluster.close();
    lead(new Term(leaderKey(), true));
    assertThat(awaitView(WEB, UnitView::refused).waiting()).contains("/etc/x");
    m1.withdraw(WEB);
    m1.awaitTarget(WEB, Target.LAUNCHED);
  }

  @Test
  void aNewLeaderGivesMachinesThatItMissesTime() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    cluster.close();
    m1.silent();
    StoredMachine m2 = machine("m2");
    lead(new Term(leaderKey(), false));
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    cluster.close();
    lead(
        new Term(leaderKey(), false),
        EngineSettings.of(Duration.ofMillis(1)).withIsolationMargin(Duration.ofMillis(2)));
    m2.awaitTarget(WEB, Target.LAUNCHED);
  }

  /** Machines that spoke to the leader before have told more than the store knows. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void aNewLeaderGivesMachinesTimeWhoseLeasesEndAsItBegins(Isolation isolation) throws Exception {
    StoredMachine m1 = machine("m1", Map.of(), isolation);
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    StoredMachine m2 = machine("m2");
    cluster.close();
    lead(new Term(leaderKey(), true), shortMargin(Duration.ofHours(1)));
    m1.silent();
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    assertThat(view(WEB).waiting()).contains("m1 is not there", "waited for");
    m1.present(Map.of(), isolation);
    cluster.close();
    lead(new Term(leaderKey(), true), shortMargin(Duration.ofMillis(300)));
    m1.silent();
    m2.awaitTarget(WEB, Target.LAUNCHED);
  }

  private static EngineSettings shortMargin(Duration agentTtl) {
    return EngineSettings.of(agentTtl).withIsolationMargin(Duration.ofMillis(1));
  }

  @Test
  void aMachineThatGoesBeforeItsNewLeaderHasBegunIsOneThatItMisses() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    StoredMachine m2 = machine("m2");
    cluster.close();
    var goes =
        new Muted() {
          @Override
          public void lead(Term term, Listener listener) {
            var takenIn = new CompletableFuture<Boolean>();
            try {
              m1.silent();
              store.awaitTold(registry.read("").revision());
              listener.takenIn(() -> takenIn.complete(true));
              takenIn.get();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        };
    lead(
        new Term(leaderKey(), false),
        EngineSettings.of(Duration.ofHours(1)),
        new CompositeCoordination(List.of(new LocalCoordination(), goes)));
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    assertThat(view(WEB).waiting()).contains("m1 is not there", "waited for");
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
    m1.awaitTarget(WEB, Target.LAUNCHED);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
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
    m1.awaitTarget(WEB, Target.LAUNCHED);
    cluster.destroy(WEB, CALLER);
    m1.gone(m1.awaitTarget(WEB, Target.STOPPING));
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
    Entry first = m1.awaitTarget(WEB, Target.LAUNCHED);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
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
      m1.awaitTarget(UnitName.of("u" + i + ".service"), Target.LAUNCHED);
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
      m1.awaitTarget(UnitName.of("u" + i + ".service"), Target.LAUNCHED);
    }
    assertThat(registry.get(Keys.placement(WEB))).isEmpty();
    store.interfere(_ -> Optional.empty());
    m1.awaitTarget(WEB, Target.LAUNCHED);
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
    m1.awaitTarget(WEB, Target.LAUNCHED);
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

    m1.awaitTarget(OTHER, Target.LAUNCHED);
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

    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
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
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    String good = registry.get(Keys.unit(WEB)).orElseThrow().value();
    put(Keys.unit(WEB), "garbage");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .contains("unit/web.service");
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    put(Keys.unit(WEB), good);
    awaitView(WEB, view -> view.waiting().isEmpty());
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void anEntryThatCannotBeReadIsLeftAloneAlsoByANewLeader() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    long broken = put(entry.key(), "{\"format\":99}");
    cluster.close();
    lead(new Term(leaderKey(), true));
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting()).contains("upgrade");
    cluster.destroy(WEB, CALLER);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(entry.key()).orElseThrow().modified()).isEqualTo(broken);
    put(entry.key(), entry.value());
    m1.awaitTarget(WEB, Target.STOPPING);
  }

  @Test
  void aMachineThatCannotBeReadKeepsItsUnitsAndGetsNone() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    put(Keys.machine("m1"), "garbage");
    put(Keys.machine("m0"), "garbage");
    launch(OTHER, SLEEP);
    awaitView(OTHER, view -> view.waiting().contains("no machine"));
    cluster.close();
    lead(new Term(leaderKey(), true), EngineSettings.of(Duration.ofMillis(1)));
    StoredMachine m2 = machine("m2");
    m2.awaitTarget(OTHER, Target.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    machine("m1");
    UnitName pinned = UnitName.of("pinned.service");
    launch(pinned, file("[X-Fleet]\nMachineID=m1\n"));
    m1.awaitTarget(pinned, Target.LAUNCHED);
  }

  @Test
  void settingsThatCannotBeReadMoveNothing() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"), Isolation.KEEP);
    launch(WEB, file("[X-Fleet]\nMachineMetadata=region=eu\n"));
    Entry entry = m1.awaitTarget(WEB, Target.LAUNCHED);
    put(Keys.settings("m1"), "garbage");
    StoredMachine m2 = machine("m2");
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, Target.LAUNCHED);
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
    m1.awaitTarget(WEB, Target.LAUNCHED);
  }

  @Test
  void keysThatNameNoUnitHurtNobody() throws Exception {
    put(Keys.UNITS + "no unit", "{}");
    put(Keys.SCHEDULES + "m1", "{}");
    put(Keys.STATES + "x", "{}");
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.awaitTarget(WEB, Target.LAUNCHED);
    var _ =
        registry.commit(
            Transaction.when()
                .delete(Keys.UNITS + "no unit")
                .delete(Keys.SCHEDULES + "m1")
                .build());
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, Target.LAUNCHED);
  }

  // ---- parts

  private StoredMachine machine(String id) {
    return machine(id, Map.of(), Isolation.KEEP);
  }

  private StoredMachine machine(String id, Map<String, String> metadata, Isolation isolation) {
    return new StoredMachine(store, registry, id).present(metadata, isolation);
  }

  private long put(String key, String value) {
    return registry.commit(Transaction.when().put(key, value).build()).revision();
  }

  private void launch(UnitName name, UnitFile file) {
    var _ = cluster.put(name, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  private UnitView view(UnitName name) {
    return cluster.unit(name).orElseThrow();
  }

  private UnitView awaitView(UnitName name, Predicate<UnitView> condition)
      throws InterruptedException {
    return LedCluster.awaitView(cluster, name, condition);
  }

  private static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
