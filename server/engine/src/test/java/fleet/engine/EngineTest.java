package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.MachineView;
import fleet.cluster.MetadataChange;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.Watcher;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class EngineTest extends EngineFixture {

  @Test
  void aLaunchedUnitReachesTheMachineAndItsStateComesBack() throws Exception {
    ScriptedAgent agent = machine("m1");
    assertThat(launch(WEB, SLEEP)).isEqualTo(PutResult.CREATED);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(entry.file()).isEqualTo(SLEEP);
    assertThat(view(WEB).current()).contains(DesiredState.INACTIVE);
    agent.reportRunning(entry);
    assertThat(
            awaitView(view -> view.current().equals(Optional.of(DesiredState.LAUNCHED))).machine())
        .contains("m1");
    assertThat(cluster.states(WEB)).hasSize(1);
  }

  @Test
  void theOnlyServerLeadsWithoutAnElection() throws Exception {
    machine("m1");
    Await.until(() -> cluster.machines().size() == 1);
    assertThat(cluster.machines()).extracting(MachineView::leads).containsExactly(true);
    machine("m2");
    Await.until(() -> cluster.machines().size() == 2);
    assertThat(cluster.machines()).extracting(MachineView::leads).containsExactly(false, false);
  }

  @Test
  void commandsAreSeenByTheQueriesThatFollow() {
    launch(WEB, SLEEP);
    assertThat(view(WEB).unit().desired()).isEqualTo(DesiredState.LAUNCHED);
    desire(DesiredState.LOADED);
    assertThat(view(WEB).unit().desired()).isEqualTo(DesiredState.LOADED);
    assertThat(cluster.destroy(WEB, CALLER)).isTrue();
    assertThat(cluster.unit(WEB)).isEmpty();
    assertThat(cluster.destroy(WEB, CALLER)).isFalse();
  }

  @Test
  void aUnitWithoutMachineSaysWhyItWaits() throws Exception {
    launch(WEB, file("[X-Fleet]\nMachineMetadata=region=eu\n"));
    awaitView(view -> !view.waiting().isEmpty());
    ScriptedAgent poor = machine("m1");
    assertThat(awaitView(view -> view.waiting().contains("region=eu")).machine()).isEmpty();
    cluster.changeMetadata(List.of(new MetadataChange.Set("m1", "region", "eu")), CALLER);
    poor.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(awaitView(view -> view.machine().isPresent()).waiting()).isEmpty();
  }

  @Test
  void aUnitLeavesInThreeSteps() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.reportRunning(entry);
    desire(DesiredState.INACTIVE);
    ScheduleEntry stopping = agent.awaitTarget(WEB, TargetState.STOPPING);
    assertThat(registry.get(Keys.placement(WEB))).isPresent();
    agent.reportGone(stopping);
    agent.awaitNothingOf(WEB);
    assertThat(registry.get(Keys.placement(WEB))).isEmpty();
    assertThat(view(WEB).current()).contains(DesiredState.INACTIVE);
    assertThat(cluster.states(WEB)).isEmpty();
  }

  @Test
  void aNameIsFreeOnlyWhenItsProcessHasEnded() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry old = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.reportRunning(old);
    cluster.destroy(WEB, CALLER);
    ScheduleEntry stopping = agent.awaitTarget(WEB, TargetState.STOPPING);
    assertThat(stopping.incarnation()).isEqualTo(old.incarnation());
    launch(WEB, OTHER);
    agent.reportGone(stopping);
    ScheduleEntry fresh = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(fresh.incarnation()).isNotEqualTo(old.incarnation());
    assertThat(fresh.file()).isEqualTo(OTHER);
  }

  @Test
  void aNewContentStaysWhereTheEarlierRunsIfItFitsThere() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    agent.reportRunning(agent.awaitTarget(WEB, TargetState.LAUNCHED));
    var other = new ScriptedAgent(coordination, "m2", Map.of("region", "eu"));
    assertThat(launch(WEB, OTHER)).isEqualTo(PutResult.REPLACED);
    agent.reportRunning(
        agent.await(WEB, e -> e.filter(now -> now.file().equals(OTHER)).isPresent()).orElseThrow());
    UnitFile elsewhere =
        file("[Service]\nExecStart=/bin/sleep 3\n[X-Fleet]\nMachineMetadata=region=eu\n");
    assertThat(launch(WEB, elsewhere)).isEqualTo(PutResult.REPLACED);
    agent.reportGone(agent.awaitTarget(WEB, TargetState.STOPPING));
    assertThat(other.awaitTarget(WEB, TargetState.LAUNCHED).file()).isEqualTo(elsewhere);
  }

  @Test
  void eachStartCommandCountsOnce() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.reportRunning(entry);
    awaitView(view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
    assertThat(cluster.startAgain(WEB, CALLER)).isEqualTo(StartResult.RUNNING);
    assertThat(cluster.restart(WEB, CALLER)).isEqualTo(StartResult.ACCEPTED);
    agent.await(WEB, e -> e.filter(now -> now.restartCounter() == 2).isPresent());
    desire(DesiredState.LAUNCHED);
    assertThat(view(WEB).unit().restartCounter()).isEqualTo(2);
    desire(DesiredState.LOADED);
    desire(DesiredState.LAUNCHED);
    assertThat(view(WEB).unit().restartCounter()).isEqualTo(3);
  }

  @Test
  void aForeignNameIsRefusedUntilItIsFree() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.report(
        new AgentReport.Refused(
            WEB, entry.incarnation(), entry.revision(), "systemd knows it from /etc/x"));
    UnitView view = awaitView(UnitView::refused);
    assertThat(view.waiting()).contains("/etc/x");
    assertThat(view.machine()).isEmpty();
    agent.report(new AgentReport.Freed(WEB));
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aMachineThatLeavesAndReturnsKeepsItsUnits() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    List<Entry> stored = allButDepartures();
    agent.close();
    assertThat(cluster.machines()).isEmpty();
    assertThat(machine("m1").awaitTarget(WEB, TargetState.LAUNCHED)).isEqualTo(entry);
    assertThat(allButDepartures()).isEqualTo(stored);
  }

  /** That a machine has gone is written, and may be so at any time. */
  private List<Entry> allButDepartures() {
    return registry.read("").entries().stream()
        .filter(entry -> !entry.key().startsWith(Keys.DEPARTED))
        .toList();
  }

  @Test
  void aReportThatAnEarlierCopyIsGoneEndsNothing() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    long revision = registry.read("").revision();
    agent.report(new AgentReport.Gone(WEB, entry.incarnation(), entry.revision() - 1));
    assertThat(cluster.unit(WEB).orElseThrow().machine()).contains("m1");
    assertThat(registry.read("").revision()).isEqualTo(revision);
    desire(DesiredState.INACTIVE);
    agent.awaitTarget(WEB, TargetState.STOPPING);
    assertThat(registry.get(Keys.placement(WEB))).isPresent();
  }

  @Test
  void manyUnitsAreSpreadEvenly() throws Exception {
    ScriptedAgent first = machine("m1");
    ScriptedAgent second = machine("m2");
    for (int i = 0; i < 100; i++) {
      launch(UnitName.of("u" + i + ".service"), SLEEP);
    }
    awaitUnits(units -> units.stream().allMatch(view -> view.machine().isPresent()));
    // The machines are told at the end of the turn in which queries see the places.
    Await.until(() -> first.scheduled() + second.scheduled() == 100);
    assertThat(first.scheduled()).isEqualTo(50);
    assertThat(second.scheduled()).isEqualTo(50);
  }

  @Test
  void aFileLeavesTheStoreWithItsLastUnit() throws Exception {
    UnitName other = UnitName.of("other.service");
    cluster.put(WEB, Optional.of(SLEEP), Optional.empty(), CALLER);
    cluster.put(other, Optional.of(SLEEP), Optional.empty(), CALLER);
    cluster.destroy(WEB, CALLER);
    assertThat(registry.read(Keys.FILES).entries()).hasSize(1);
    var deleted = new CountDownLatch(1);
    try (var watch =
        registry.watch(
            Keys.FILES,
            registry.read(Keys.FILES),
            new Watcher() {
              @Override
              public void changed(Delta delta) {
                deleted.countDown();
              }

              @Override
              public void failed(RegistryException why) {
                throw why;
              }
            })) {
      assertThat(watch).isNotNull();
      cluster.destroy(other, CALLER);
      deleted.await();
    }
    assertThat(registry.read(Keys.FILES).entries()).isEmpty();
  }

  @Test
  void aStartThatIsStillToBeCarriedOutIsNotAskedForAgain() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry entry = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    agent.report(new AgentReport.Stated(dead(entry, 0)));
    awaitUnits(_ -> !cluster.states(WEB).isEmpty());
    assertThat(cluster.startAgain(WEB, CALLER)).isEqualTo(StartResult.RUNNING);
    agent.report(new AgentReport.Stated(dead(entry, 1)));
    awaitUnits(_ -> cluster.states(WEB).getFirst().restartCounter() == 1);
    assertThat(cluster.startAgain(WEB, CALLER)).isEqualTo(StartResult.ACCEPTED);
  }

  private static UnitState dead(ScheduleEntry entry, long restartCounter) {
    return new UnitState(
        entry.unit(),
        "m1",
        entry.incarnation(),
        entry.file().hash(),
        DesiredState.LOADED,
        restartCounter,
        SystemdState.DEAD,
        "");
  }

  /** Its machine may have begun to start it, and not have said so. */
  @Test
  void aDestroyedUnitIsMissedUntilItsMachineSaysThatItDoesNotHaveIt() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.destroy(WEB, CALLER);
    assertThat(cluster.unreported(Set.of(WEB))).isEqualTo(Map.of(WEB, "m1"));
    agent.reportGone(agent.awaitTarget(WEB, TargetState.STOPPING));
    Await.until(() -> cluster.unreported(Set.of(WEB)).isEmpty());
  }

  @Test
  void putAnswersAsFleetDid() {
    assertThat(cluster.put(WEB, Optional.empty(), Optional.of(DesiredState.LOADED), CALLER))
        .isEqualTo(PutResult.NO_CONTENT);
    assertThat(cluster.put(WEB, Optional.of(SLEEP), Optional.empty(), CALLER))
        .isEqualTo(PutResult.CREATED);
    assertThat(cluster.put(WEB, Optional.of(SLEEP), Optional.empty(), CALLER))
        .isEqualTo(PutResult.NO_DESIRED_STATE);
    assertThat(cluster.put(WEB, Optional.of(OTHER), Optional.empty(), CALLER))
        .isEqualTo(PutResult.REPLACED);
    UnitName template = UnitName.of("web@.service");
    assertThat(
            cluster.put(template, Optional.of(SLEEP), Optional.of(DesiredState.LAUNCHED), CALLER))
        .isEqualTo(PutResult.TEMPLATE);
    assertThat(cluster.restart(WEB, CALLER)).isEqualTo(StartResult.NOT_LAUNCHED);
    assertThat(cluster.restart(UnitName.of("no.service"), CALLER)).isEqualTo(StartResult.UNKNOWN);
    assertThat(view(WEB).unit().by()).isEqualTo("test");
  }
}
