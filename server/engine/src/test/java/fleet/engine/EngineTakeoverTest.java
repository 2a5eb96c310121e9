package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.local.LocalCoordination;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An engine that leads after another did. */
class EngineTakeoverTest extends EngineFixture {

  @Test
  void anEngineThatTakesOverMovesNothing() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry before = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    long revision = registry.read("").revision();
    cluster.close();
    lead(Duration.ofHours(1));
    ScriptedAgent again = machine("m1");
    assertThat(again.awaitTarget(WEB, TargetState.LAUNCHED)).isEqualTo(before);
    assertThat(registry.read("").revision()).isEqualTo(revision);
  }

  @Test
  void unitsOfAMachineThatNeverComesBackRunElsewhere() throws Exception {
    ScriptedAgent lost = machine("m1");
    launch(WEB, SLEEP);
    lost.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.close();
    lead(Duration.ofMillis(50));
    ScriptedAgent other = machine("m2");
    other.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(registry.read(Keys.schedules("m1")).entries()).isEmpty();
  }

  @Test
  void unitsThatCannotBePlacedHoldUpNoOthers() throws Exception {
    UnitFile nowhere = file("[X-Fleet]\nMachineMetadata=region=eu\n");
    for (int i = 100; i < 250; i++) {
      launch(UnitName.of("u" + i + ".service"), nowhere);
    }
    launch(WEB, SLEEP);
    cluster.close();
    lead(Duration.ofHours(1));
    machine("m1").awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aMachineThatIsThereFromTheBeginningIsNotMissed() throws Exception {
    ScriptedAgent first = machine("m1");
    launch(WEB, SLEEP);
    first.awaitTarget(WEB, TargetState.LAUNCHED);
    ScriptedAgent second = machine("m2");
    UnitName other = UnitName.of("other.service");
    launch(other, SLEEP);
    second.awaitTarget(other, TargetState.LAUNCHED);
    var placed = registry.get(Keys.placement(WEB));
    cluster.close();
    var joined = new LocalCoordination();
    ScriptedAgent again = new ScriptedAgent(joined, "m1", Map.of());
    lead(Duration.ofMillis(50), joined);
    again.awaitTarget(other, TargetState.LAUNCHED);
    UnitName later = UnitName.of("later.service");
    launch(later, SLEEP);
    again.awaitTarget(later, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.placement(WEB))).isEqualTo(placed);
    assertThat(again.awaitTarget(WEB, TargetState.LAUNCHED).restartCounter()).isEqualTo(1);
  }

  @Test
  void aUnitThatBecomesGlobalLeavesItsMachineFirstAlsoForAnAgentThatComesAgain() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    ScheduleEntry old = agent.awaitTarget(WEB, TargetState.LAUNCHED);
    launch(WEB, file("[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n"));
    agent.awaitTarget(WEB, TargetState.STOPPING);
    // An agent that only left would be given up before it comes again.
    cluster.close();
    lead(Duration.ofHours(1));
    ScriptedAgent again = machine("m1");
    ScheduleEntry stopping = again.awaitTarget(WEB, TargetState.STOPPING);
    assertThat(stopping.incarnation()).isEqualTo(old.incarnation());
    again.reportGone(stopping);
    assertThat(again.awaitTarget(WEB, TargetState.LAUNCHED).global()).isTrue();
  }

  @Test
  void aFileStaysForAsLongAsItsUnitIsOnAMachine() throws Exception {
    ScriptedAgent agent = machine("m1");
    launch(WEB, SLEEP);
    agent.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.destroy(WEB, CALLER);
    agent.awaitTarget(WEB, TargetState.STOPPING);
    cluster.close();
    lead(Duration.ofHours(1));
    assertThat(machine("m1").awaitTarget(WEB, TargetState.STOPPING).file()).isEqualTo(SLEEP);
    assertThat(registry.read(Keys.FILES).entries()).hasSize(1);
  }
}
