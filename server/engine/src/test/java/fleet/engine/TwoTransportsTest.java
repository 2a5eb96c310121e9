package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines.Absent;
import fleet.cluster.AbsentMachines.Standing;
import fleet.cluster.ClusterCounts;
import fleet.cluster.MachineView;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that speak to the leader itself, also beside such as speak through the store. */
class TwoTransportsTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName OTHER = UnitName.of("other.service");
  private static final EngineSettings PATIENT =
      EngineSettings.of(Duration.ofHours(1))
          .with(changed -> changed.isolationMargin = Duration.ofMillis(1))
          .with(changed -> changed.reportsAwaited = Duration.ofHours(1));

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, PATIENT);
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void whatOnlyTheStoreSaidOfAMachineThatReportsItselfNowGoesWithTheStoresWord() throws Exception {
    StoredMachine before = fleet.stored("m1");
    fleet.launch(WEB);
    fleet.launch(OTHER);
    before.running(before.awaitTarget(WEB, TargetState.LAUNCHED));
    before.running(before.awaitTarget(OTHER, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    ScriptedAgent m1 = fleet.direct("m1");
    m1.reportRunning(m1.awaitTarget(OTHER, TargetState.LAUNCHED));
    fleet.silent("m1");
    var _ = fleet.awaitView(WEB, _ -> fleet.cluster().states(WEB).isEmpty());
    assertThat(fleet.cluster().states(OTHER)).hasSize(1);
  }

  /** It has stopped it on its way from the leader to the store, if it has no word for that. */
  @Test
  void whatAMachineSaysNoMoreInTheStoreGoesOnceItHasHadTheTime() throws Exception {
    fleet.anotherLeads(EngineSettings.of(Duration.ofMillis(300)));
    ScriptedAgent direct = fleet.direct("m1");
    fleet.launch(WEB);
    fleet.launch(OTHER);
    direct.reportRunning(direct.awaitTarget(WEB, TargetState.LAUNCHED));
    direct.reportRunning(direct.awaitTarget(OTHER, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    StoredMachine stored = fleet.stored("m1");
    stored.running(stored.awaitTarget(OTHER, TargetState.LAUNCHED));
    direct.close();

    var _ = fleet.awaitView(WEB, _ -> fleet.cluster().states(WEB).isEmpty());
    assertThat(fleet.cluster().states(OTHER)).hasSize(1);
  }

  /** It writes nothing again that the store has already. */
  @Test
  void whatTheStoreHasOfAMachineStaysWhenTheMachineGoesBackToIt() throws Exception {
    fleet.anotherLeads(EngineSettings.of(Duration.ofMillis(300)));
    StoredMachine stored = fleet.stored("m1");
    fleet.launch(WEB);
    stored.running(stored.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    ScriptedAgent direct = fleet.direct("m1");
    fleet.launch(OTHER);
    direct.reportRunning(direct.awaitTarget(WEB, TargetState.LAUNCHED));
    direct.reportRunning(direct.awaitTarget(OTHER, TargetState.LAUNCHED));
    var _ = fleet.awaitView(OTHER, _ -> fleet.cluster().states(OTHER).size() == 1);
    direct.close();

    var _ = fleet.awaitView(OTHER, _ -> fleet.cluster().states(OTHER).isEmpty());
    assertThat(fleet.cluster().states(WEB)).hasSize(1);
  }

  /** It has come back to the leader before the store's silence counted. */
  @Test
  void whatAMachineSaysNoMoreWhenItIsBackGoesAsWell() throws Exception {
    fleet.anotherLeads(EngineSettings.of(Duration.ofMillis(300)));
    ScriptedAgent direct = fleet.direct("m1");
    fleet.launch(WEB);
    fleet.launch(OTHER);
    direct.reportRunning(direct.awaitTarget(WEB, TargetState.LAUNCHED));
    direct.reportRunning(direct.awaitTarget(OTHER, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    StoredMachine stored = fleet.stored("m1");
    stored.awaitTarget(OTHER, TargetState.LAUNCHED);
    direct.close();
    ScriptedAgent back = fleet.direct("m1");
    back.reportRunning(back.awaitTarget(OTHER, TargetState.LAUNCHED));

    var _ = fleet.awaitView(WEB, _ -> fleet.cluster().states(WEB).isEmpty());
    // It may say it again after what it has said before is gone.
    var _ = fleet.awaitView(OTHER, _ -> fleet.cluster().states(OTHER).size() == 1);
  }

  // ---- a new leader

  @Test
  void aNewLeaderMovesNothingOfThoseThatHaveNotReportedAndPlacesNewUnitsOnThoseThatHave()
      throws Exception {
    launched(fleet.direct("m1"));
    Entry entry = fleet.registry.get(Keys.schedule("m1", WEB)).orElseThrow();
    fleet.anotherLeads(PATIENT);
    var _ = fleet.awaitAbsences(a -> a.machines().equals(List.of(awaited("m1"))));
    assertThat(fleet.awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .contains("machine m1 is not there; the leader waits for it until ");
    ScriptedAgent m2 = fleet.direct("m2");
    fleet.launch(OTHER);
    m2.awaitTarget(OTHER, TargetState.LAUNCHED);
    assertThat(fleet.cluster().absences().machines()).containsExactly(awaited("m1"));
    assertThat(fleet.registry.get(Keys.schedule("m1", WEB))).contains(entry);
    ScriptedAgent m1 = fleet.direct("m1");
    m1.reportRunning(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    assertThat(fleet.cluster().absences().machines()).isEmpty();
    assertThat(fleet.registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void aMachineThatDoesNotReportInTimeIsLost() throws Exception {
    launched(fleet.direct("m1"));
    fleet.anotherLeads(PATIENT.with(changed -> changed.reportsAwaited = Duration.ofMillis(300)));
    ScriptedAgent m2 = fleet.direct("m2");
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(fleet.registry.get(Keys.PAUSE)).isEmpty();
  }

  @Test
  void aMachineThatComesBackIsNotToldOfWhatIsBeingGivenAway() throws Exception {
    launched(fleet.direct("m1"));
    var back = new CompletableFuture<ScriptedAgent>();
    fleet.store.interfere(transaction -> {
      if (transaction.writes().contains(new Write.Delete(Keys.schedule("m1", WEB)))) {
        back.complete(fleet.direct("m1", "next boot"));
        awaitListed("m1", true);
        fleet.store.interfere(_ -> Optional.empty());
      }
      return Optional.empty();
    });
    fleet.anotherLeads(PATIENT.with(changed -> changed.reportsAwaited = Duration.ofMillis(300)));
    ScriptedAgent m2 = fleet.direct("m2");

    m2.awaitTarget(WEB, TargetState.LAUNCHED);

    back.join().awaitGreeting();
    assertThat(back.join().wasToldOf(WEB)).isFalse();
  }

  /** It knows from the store that it has the unit, and its fleetd was restarted just then. */
  @Test
  void aMachineThatComesAgainIsToldOfWhatIsBeingGivenToIt() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    awaitM1();
    var back = new CompletableFuture<ScriptedAgent>();
    fleet.store.interfere(transaction -> {
      if (transaction.writes().stream()
          .anyMatch(write -> write.key().equals(Keys.schedule("m1", WEB)))) {
        fleet.store.interfere(_ -> Optional.empty());
        m1.close();
        awaitListed("m1", false);
        back.complete(fleet.direct("m1"));
        awaitListed("m1", true);
      }
      return Optional.empty();
    });

    fleet.launch(WEB);

    back.join().awaitGreeting();
    assertThat(back.join().wasToldOf(WEB)).isTrue();
  }

  private void awaitListed(String machine, boolean is) {
    try {
      var _ = Await.value(this::machines, machines -> machines.contains(machine) == is);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoNeverSpokeToALeaderIsNotWaitedForLonger() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(WEB);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    fleet.leaderDies();
    m1.silent();
    fleet.anotherLeads(PATIENT, false);
    StoredMachine m2 = fleet.stored("m2");
    var _ = m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aMachineThatTheStoreHasIsNotWaitedFor() throws Exception {
    StoredMachine m1 = fleet.stored("m1");
    fleet.launch(WEB);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    fleet.anotherLeads(PATIENT);
    assertThat(fleet.cluster().absences().machines()).isEmpty();
    assertThat(fleet.cluster().unit(WEB).orElseThrow().machine()).contains("m1");
    fleet.stored("m2");
    fleet.stored("m1").silent();
    var _ = fleet.awaitView(WEB, view -> view.machine().equals(Optional.of("m2")));
  }

  // ---- one machine in both ways

  @Test
  void aMachineThatStaysDirectlyIsNotLostWithItsLease() throws Exception {
    StoredMachine stored = fleet.stored("m1");
    fleet.launch(WEB);
    stored.running(stored.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    ScriptedAgent agent = fleet.direct("m1");
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.reportRunning(entry);
    stored.silent();
    fleet.stored("m2");
    launchOther();
    assertThat(machines()).containsExactly("m1", "m2");
    awaitRunsOn("m1");
    agent.close();
    var _ = fleet.awaitView(WEB, view -> view.machine().equals(Optional.of("m2")));
    assertThat(machines()).containsExactly("m2");
  }

  @Test
  void aMachineThatFallsBackToTheStoreIsNotLostWithItsStream() throws Exception {
    ScriptedAgent agent = fleet.direct("m1");
    launched(agent);
    fleet.direct("m2");
    StoredMachine stored = fleet.stored("m1");
    // Until its stream ends nobody listens to what it has in the store; then it counts.
    stored.refused(fleet.registry.get(Keys.schedule("m1", WEB)).orElseThrow(), "it is taken");
    launchOther();
    awaitRunsOn("m1");
    agent.close();
    var _ = fleet.awaitView(WEB, view -> view.machine().equals(Optional.of("m2")));
    assertThat(machines()).containsExactly("m1", "m2");
    stored.silent();
    var _ = fleet.store.await("m1 gone", entries -> !entries.containsKey(Keys.machine("m1")));
    fleet.launch(UnitName.of("last.service"));
    var _ = fleet.awaitView(UnitName.of("last.service"), view -> view.machine().isPresent());
    assertThat(machines()).containsExactly("m2");
  }

  @Test
  void whatALeaseTakesWithItDoesNotTakeBackWhatWasReportedDirectly() throws Exception {
    StoredMachine stored = fleet.stored("m1");
    fleet.launch(WEB);
    stored.running(stored.awaitTarget(WEB, TargetState.LAUNCHED));
    ScriptedAgent agent = fleet.direct("m1");
    agent.reportRunning(agent.awaitTarget(WEB, TargetState.LAUNCHED));
    stored.withdraw(WEB);
    stored.silent();
    launchOther();
    awaitRunsOn("m1");
    assertThat(fleet.cluster().states(WEB)).hasSize(1);
  }

  @Test
  void whoIsThereAndHasNotReportedItsUnitsIsMissingInTheListAndSaidToBe() throws Exception {
    ScriptedAgent first = fleet.direct("m1");
    launched(first);
    assertThat(fleet.cluster().states().unreported()).isEmpty();

    first.close();
    ScriptedAgent again = fleet.direct("m1");
    again.awaitTarget(WEB, TargetState.LAUNCHED);

    assertThat(fleet.cluster().states().reported()).isEmpty();
    assertThat(fleet.cluster().states().unreported()).containsExactly(Map.entry("m1", 1));
    assertThat(fleet.cluster().unreported(Set.of(WEB))).isEqualTo(Map.of(WEB, "m1"));
    assertThat(fleet.cluster().tally().states()).isEmpty();
    again.reportRunning(again.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");
    assertThat(fleet.cluster().states().reported()).hasSize(1);
    assertThat(fleet.cluster().states().unreported()).isEmpty();
    assertThat(fleet.cluster().unreported(Set.of(WEB))).isEmpty();
    ClusterCounts tally = fleet.cluster().tally();
    assertThat(tally).isEqualTo(new ClusterCounts(1, 1, new TreeMap<>(Map.of("active", 1))));
  }

  // ---- two machines of one id

  @Test
  void whoComesDirectlyWhileTheStoreHasAnotherOfItsIdIsRefused() throws Exception {
    StoredMachine first = fleet.stored("m1");
    fleet.launch(WEB);
    first.running(first.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");

    ScriptedAgent duplicate = fleet.direct("m1", "another boot");
    assertThat(fleet.refused.take()).isEqualTo("another boot for boot");
    duplicate.report(new AgentReport.Freed(WEB));
    fleet.stored("m2");
    launchOther();

    awaitRunsOn("m1");
    assertThat(duplicate.scheduled()).isZero();
    assertThat(bootId()).isEqualTo("boot");
    first.silent();
    var _ = fleet.awaitView(WEB, view -> view.machine().equals(Optional.of("m2")));
    // It was the same machine before it booted.
    fleet.direct("m1", "another boot");
    awaitM1();
    assertThat(bootId()).isEqualTo("another boot");
  }

  @Test
  void whoComesThroughTheStoreWhileAnotherOfItsIdSpeaksToTheLeaderIsRefused() throws Exception {
    ScriptedAgent first = fleet.direct("m1");
    launched(first);

    fleet.stored("m1", "another boot");
    assertThat(fleet.refused.take()).isEqualTo("another boot for boot");
    launchOther();

    awaitRunsOn("m1");
    assertThat(bootId()).isEqualTo("boot");
    // It was the same machine before it booted, and is silent now.
    first.close();
    assertThat(fleet.refused.take()).isEqualTo("m1 is vacant");
    awaitM1();
    assertThat(bootId()).isEqualTo("another boot");
  }

  @Test
  void aMachineThatChangesItsWayIsNotItsOwnTwin() throws Exception {
    ScriptedAgent direct = fleet.direct("m1");
    launched(direct);
    StoredMachine stored = fleet.stored("m1");
    direct.close();
    ScriptedAgent again = fleet.direct("m1");
    again.awaitTarget(WEB, TargetState.LAUNCHED);
    stored.silent();
    launchOther();

    assertThat(machines()).containsExactly("m1");
    assertThat(fleet.refused).allMatch(told -> told.endsWith("is vacant"));
  }

  private String bootId() {
    return fleet.cluster().machines().getFirst().machine().bootId();
  }

  // ---- parts

  private void launched(ScriptedAgent agent) throws Exception {
    fleet.launch(WEB);
    agent.reportRunning(agent.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitRunsOn("m1");
  }

  /** Shows that the engine has come so far. */
  private void launchOther() throws Exception {
    fleet.launch(OTHER);
    var _ = fleet.awaitView(OTHER, view -> view.machine().isPresent());
  }

  /** Shows that the engine has heard of the machine, which was away. */
  private void awaitM1() throws Exception {
    UnitName there = UnitName.of("there.service");
    fleet.launch(there, "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineID=m1\n");
    var _ = fleet.awaitView(there, view -> view.machine().isPresent());
  }

  private void awaitRunsOn(String machine) throws Exception {
    var _ =
        fleet.awaitView(
            WEB,
            view ->
                view.machine().equals(Optional.of(machine))
                    && view.current().equals(Optional.of(DesiredState.LAUNCHED)));
  }

  private List<String> machines() {
    return fleet.cluster().machines().stream().map(MachineView::id).toList();
  }

  private static Absent awaited(String machine) {
    return new Absent(machine, 1, Standing.AWAITED, Optional.empty());
  }
}
