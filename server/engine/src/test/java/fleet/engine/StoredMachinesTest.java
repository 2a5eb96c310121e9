package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.CompositeCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.engine.decide.StormBrake;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.records.Keys;
import fleet.registry.records.PlacementRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Machines that report through a store that servers share. */
class StoredMachinesTest extends SharedStoreFixture {
  private static final StormBrake.Settings NO_STORMS =
      new StormBrake.Settings(100, 3, Duration.ofHours(1), Duration.ofHours(1));

  @Test
  void aMachinesStateIsWhatItStored() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    StoredMachine m2 = machine("m2");
    m1.silent();
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
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
            .with(changed -> changed.isolationMargin = Duration.ofHours(1))
            .with(changed -> changed.storm = NO_STORMS));
    StoredMachine stops = machine("m1", Map.of(), Isolation.STOP);
    launch(WEB, SLEEP);
    stops.awaitTarget(WEB, TargetState.LAUNCHED);
    StoredMachine keeps = machine("m2");
    launch(OTHER, SLEEP);
    keeps.awaitTarget(OTHER, TargetState.LAUNCHED);
    StoredMachine m3 = machine("m3");
    stops.silent();
    keeps.silent();
    m3.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).isPresent();
  }

  @Test
  void aMachineThatLeftWithNothingRunningIsNotWaitedFor() throws Exception {
    cluster.close();
    lead(
        new Term(leaderKey(), true),
        EngineSettings.of(Duration.ofHours(1))
            .with(changed -> changed.isolationMargin = Duration.ofHours(1)));
    StoredMachine stops = machine("m1", Map.of(), Isolation.STOP);
    launch(WEB, SLEEP);
    stops.awaitTarget(WEB, TargetState.LAUNCHED);
    StoredMachine m2 = machine("m2");
    stops.present(Map.of(), Isolation.KEEP).silent();
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
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
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    var leaving = CompletableFuture.runAsync(() -> cluster.awaitDeparture("m1", patience));
    waits.get();
    cluster.retire("for a test");
    leaving.get();
  }

  @Test
  void aUnitThatCanGoNowhereElseStaysWithItsLostMachine() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, file("[X-Fleet]\nMachineID=m1\n"));
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    Entry launched = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    m1.running(launched);
    cluster.put(WEB, Optional.empty(), Optional.of(DesiredState.INACTIVE), CALLER);
    Entry stopping = m1.awaitTarget(WEB, TargetState.STOPPING);
    m1.gone(launched);
    launch(OTHER, SLEEP);
    m1.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(stopping);
    m1.gone(stopping);
    m1.awaitNothingOf(WEB);
  }

  @Test
  void aRefusalIsKnownToTheNextLeaderAndTakenBackByDeletingIt() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    m1.refused(m1.awaitTarget(WEB, TargetState.LAUNCHED), "systemd knows it from /etc/x");
    awaitView(WEB, UnitView::refused);
    cluster.close();
    lead(new Term(leaderKey(), true));
    assertThat(awaitView(WEB, UnitView::refused).waiting()).contains("/etc/x");
    m1.withdraw(WEB);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aNewLeaderGivesMachinesThatItMissesTime() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.close();
    m1.silent();
    StoredMachine m2 = machine("m2");
    lead(new Term(leaderKey(), false));
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    cluster.close();
    lead(
        new Term(leaderKey(), false),
        EngineSettings.of(Duration.ofMillis(1))
            .with(changed -> changed.isolationMargin = Duration.ofMillis(2)));
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  /** Machines that spoke to the leader before have told more than the store knows. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void aNewLeaderGivesMachinesTimeWhoseLeasesEndAsItBegins(Isolation isolation) throws Exception {
    StoredMachine m1 = machine("m1", Map.of(), isolation);
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    StoredMachine m2 = machine("m2");
    cluster.close();
    lead(new Term(leaderKey(), true), shortMargin(Duration.ofHours(1)));
    m1.silent();
    launch(OTHER, SLEEP);
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    assertThat(view(WEB).waiting()).contains("m1 is not there; the leader waits for it until ");
    m1.present(Map.of(), isolation);
    cluster.close();
    lead(new Term(leaderKey(), true), shortMargin(Duration.ofMillis(300)));
    m1.silent();
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  private static EngineSettings shortMargin(Duration agentTtl) {
    return EngineSettings.of(agentTtl)
        .with(changed -> changed.isolationMargin = Duration.ofMillis(1));
  }

  @Test
  void aMachineThatGoesBeforeItsNewLeaderHasBegunIsOneThatItMisses() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB, SLEEP);
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
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
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
    assertThat(view(WEB).waiting()).contains("m1 is not there; the leader waits for it until ");
  }
}
