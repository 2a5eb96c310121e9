package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.NewRollout;
import fleet.cluster.RolloutResult;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Units that run on every machine where they fit. */
class GlobalUnitScheduleTest extends EngineFixture {

  @Test
  void globalUnitsAreHandedToEveryMachine() throws Exception {
    ScriptedAgent first = machine("m1");
    ScriptedAgent second = machine("m2");
    launch(WEB, file("[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n"));
    assertThat(first.awaitTarget(WEB, TargetState.LAUNCHED).global()).isTrue();
    assertThat(second.awaitTarget(WEB, TargetState.LAUNCHED).global()).isTrue();
    assertThat(view(WEB).current()).isEmpty();
    assertThat(cluster.runsOn(WEB)).containsExactly("m1", "m2");
    cluster.destroy(WEB, CALLER);
    assertThat(cluster.runsOn(WEB)).isEmpty();
    first.awaitNothingOf(WEB);
    second.awaitNothingOf(WEB);
  }

  @Test
  void aGlobalUnitIsExpectedOnlyWhereItFitsAndIsTaken() throws Exception {
    ScriptedAgent first = machine("m1");
    ScriptedAgent second = machine("m2");
    String global = "[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n";
    launch(WEB, file(global));
    ScheduleEntry entry = first.awaitTarget(WEB, TargetState.LAUNCHED);
    UnitName conflicting = UnitName.of("zoo.service");
    launch(conflicting, file(global + "Conflicts=web.service\n"));
    assertThat(cluster.runsOn(conflicting)).as("the other one comes first").isEmpty();
    first.report(
        new AgentReport.Refused(WEB, entry.incarnation(), entry.revision(), "it is in /etc/x"));
    awaitView(view -> view.waiting().contains("/etc/x"));
    assertThat(cluster.runsOn(WEB)).containsExactly("m2");
    second.close();
    assertThat(cluster.runsOn(WEB)).isEmpty();
    assertThat(cluster.runsOn(UnitName.of("none.service"))).isEmpty();
  }

  @Test
  void aMachineIsToldOfTheContentOfAGlobalUnitWhoseTurnItIsThere() throws Exception {
    cluster.close();
    lead(Duration.ofMillis(50));
    ScriptedAgent first = machine("m1");
    ScriptedAgent second = machine("m2");
    String global = "[X-Fleet]\nGlobal=true\n[Service]\nExecStart=/bin/sleep ";
    UnitFile before = file(global + "1000\n");
    UnitFile after = file(global + "2000\n");
    launch(WEB, before);
    first.reportRunning(first.awaitTarget(WEB, TargetState.LAUNCHED));
    second.reportRunning(second.awaitTarget(WEB, TargetState.LAUNCHED));
    Await.until(() -> cluster.states(WEB).size() == 2);

    assertThat(cluster.begin(new NewRollout(WEB, after, 1, Duration.ZERO, 0, Set.of()), CALLER))
        .isEqualTo(RolloutResult.STARTED);

    ScheduleEntry changed = awaitContent(first, after);
    assertThat(awaitContent(second, before).incarnation()).isNotEqualTo(changed.incarnation());
    first.reportRunning(changed);
    second.reportRunning(awaitContent(second, after));
    Await.until(() -> view(WEB).unit().incarnation().equals(changed.incarnation()));
  }

  private static ScheduleEntry awaitContent(ScriptedAgent agent, UnitFile file) throws Exception {
    return agent
        .await(WEB, entry -> entry.filter(now -> now.file().equals(file)).isPresent())
        .orElseThrow();
  }
}
