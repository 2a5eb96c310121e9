package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.UnitState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units that systemd stopped together with another one run again once that is back. */
class DependantsTest extends AgentOnSystemd {

  private ScheduleEntry head = launched("head.service", SLEEP);
  private ScheduleEntry member = member("Requires");

  private static ScheduleEntry member(String dependency) {
    String unit = "[Unit]\n" + dependency + "=head.service\nAfter=head.service\n";
    return launched("member.service", unit + SLEEP);
  }

  private void start(String dependency) throws Exception {
    member = member(dependency);
    engine.schedule(List.of(head, member));
    engine.awaitState(member.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    engine.awaitState(head.unit(), state -> isRunning(state) && state.restartCounter() == 1);
  }

  private void removeHead() throws Exception {
    engine.change(head.withTarget(TargetState.STOPPING));
    engine.awaitGone(head.unit());
    engine.awaitState(member.unit(), DependantsTest::waits);
  }

  private static boolean waits(UnitState state) {
    return state.systemd().active().equals("inactive") && state.problem().contains("head.service");
  }

  private void headIsBack() throws Exception {
    head = launched("head.service", SLEEP + "Environment=A=1\n", "i2", 1);
    engine.change(head);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Requires", "BindsTo", "PartOf"})
  void runAgainAfterItsContentWasReplaced(String dependency) throws Exception {
    start(dependency);
    String before = shown(member, "InvocationID");

    headIsBack();
    engine.awaitState(
        member.unit(), state -> isRunning(state) && !state.systemd().invocation().equals(before));

    forget(member);
    forget(head);
  }

  @Test
  void alsoWhenFleetdWasAwayMeanwhile() throws Exception {
    start("Requires");
    removeHead();

    restartAgent();
    engine.schedule(List.of(member));
    engine.awaitState(member.unit(), state -> state.problem().contains("head.service"));
    headIsBack();

    engine.awaitState(member.unit(), AgentOnSystemd::isRunning);
    forget(member);
    forget(head);
  }

  @Test
  void stayStoppedWhereTheyAreToBe() throws Exception {
    start("Requires");
    removeHead();

    engine.change(member.withTarget(TargetState.LOADED));
    engine.awaitState(member.unit(), state -> state.problem().isEmpty());
    headIsBack();
    engine.awaitState(head.unit(), AgentOnSystemd::isRunning);

    assertThat(shown(member, "ActiveState")).isEqualTo("inactive");
    forget(member);
    forget(head);
  }

  @Test
  void whatEndsAfterwardsHasEndedByItself() throws Exception {
    start("PartOf");
    removeHead();
    headIsBack();
    engine.awaitState(member.unit(), AgentOnSystemd::isRunning);

    systemctl("kill", "member.service");
    UnitState ended =
        engine.awaitState(member.unit(), state -> state.systemd().active().equals("inactive"));

    assertThat(ended.problem()).isEmpty();
    forget(member);
    forget(head);
  }
}
