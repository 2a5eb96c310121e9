package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that says of units what it should not, and one that must be heard. */
class InventedReportsTest {

  private static final UnitName VICTIM = UnitName.of("victim.service");
  private static final UnitName OWN = UnitName.of("own.service");
  private static final String ON_M1 =
      "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineID=m1\n";
  private static final String ON_EVIL =
      "[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\nMachineID=evil01\n";

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void open() {
    fleet = new LedCluster(directory, EngineSettings.of(Duration.ofHours(1)));
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  @Test
  void anInventedContentKeepsNoUnitFromItsPlace() throws Exception {
    ScriptedAgent evil = fleet.direct("evil01");
    ScriptedAgent m1 = fleet.direct("m1");
    evil.report(stated(VICTIM, new Incarnation("invented"), "running"));

    fleet.launch(VICTIM, ON_M1);

    ScheduleEntry entry = m1.awaitTarget(VICTIM, TargetState.LAUNCHED);
    evil.report(stated(VICTIM, new Incarnation("invented"), "running"));
    m1.reportRunning(entry);
    awaitRunning(VICTIM);
    assertThat(fleet.cluster().states(VICTIM)).extracting(UnitState::machine).containsExactly("m1");
  }

  @Test
  void theSealOfOneUnitIsNoneOfAnother() throws Exception {
    ScriptedAgent evil = fleet.direct("evil01");
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(OWN, ON_EVIL);
    ScheduleEntry own = evil.awaitTarget(OWN, TargetState.LAUNCHED);
    assertThat(own.incarnation().id()).as("is sealed").contains(".");
    evil.report(stated(VICTIM, own.incarnation(), "running"));

    fleet.launch(VICTIM, ON_M1);

    var _ = m1.awaitTarget(VICTIM, TargetState.LAUNCHED);
  }

  /** It was destroyed while nobody led, and comes back with another content. */
  @Test
  void aContentThatTheRegistryKnowsNoMoreHoldsItsNameUntilItHasStopped() throws Exception {
    ScriptedAgent m1 = fleet.direct("m1");
    fleet.launch(VICTIM, ON_M1);
    ScheduleEntry before = m1.awaitTarget(VICTIM, TargetState.LAUNCHED);
    fleet.leaderDies();
    var _ =
        fleet.registry.commit(
            Transaction.when()
                .delete(Keys.unit(VICTIM))
                .delete(Keys.placement(VICTIM))
                .delete(Keys.schedule("m1", VICTIM))
                .build());
    fleet.anotherLeads(EngineSettings.of(Duration.ofHours(1)), false);
    ScriptedAgent m2 = fleet.direct("m2");
    ScriptedAgent back = fleet.direct("m1");
    back.reportRunning(before);

    fleet.launch(VICTIM, "[Service]\nExecStart=/bin/sleep 2000\n[X-Fleet]\nMachineID=m2\n");

    var waiting = fleet.awaitView(VICTIM, view -> !view.waiting().isEmpty());
    assertThat(waiting.waiting()).isEqualTo("its earlier content is being stopped on machine m1");
    back.reportGone(before);
    var _ = m2.awaitTarget(VICTIM, TargetState.LAUNCHED);
  }

  @Test
  void aFloodOfInventedStatesLeavesNothingBehind() throws Exception {
    ScriptedAgent evil = fleet.direct("evil01");
    String pad = "x".repeat(3_500);
    for (int i = 0; i < 200_000; i++) {
      evil.report(stated(UnitName.of("flood-" + i + ".service"), new Incarnation("i" + i), pad));
    }
    fleet.launch(OWN, ON_EVIL);
    ScheduleEntry own = evil.awaitTarget(OWN, TargetState.LAUNCHED);
    evil.reportRunning(own);
    awaitRunning(OWN);

    assertThat(fleet.cluster().states().reported()).hasSize(1);
  }

  @Test
  void whatAMachineSaysOfItsOwnUnitsIsOneLineAndNoBook() throws Exception {
    ScriptedAgent evil = fleet.direct("evil01");
    fleet.launch(OWN, ON_EVIL);
    ScheduleEntry own = evil.awaitTarget(OWN, TargetState.LAUNCHED);

    evil.report(stated(OWN, own.incarnation(), "running\n\033[2J" + "x".repeat(100_000)));

    awaitRunning(OWN);
    UnitState state = fleet.cluster().states(OWN).iterator().next();
    assertThat(state.systemd().sub()).startsWith("running\\x0a\\x1b[2Jxxx").hasSize(100);
    assertThat(state.problem()).doesNotContain("\n").hasSizeLessThanOrEqualTo(2_000);
  }

  private void awaitRunning(UnitName unit) throws InterruptedException {
    var _ =
        fleet.awaitView(unit, view -> view.current().equals(Optional.of(DesiredState.LAUNCHED)));
  }

  private static AgentReport stated(UnitName unit, Incarnation incarnation, String words) {
    return new AgentReport.Stated(
        new UnitState(
            unit,
            "evil01",
            incarnation,
            "hash",
            DesiredState.LAUNCHED,
            1,
            new SystemdState("loaded", "active", words, "success", "abc", 0, Instant.EPOCH),
            words));
  }
}
