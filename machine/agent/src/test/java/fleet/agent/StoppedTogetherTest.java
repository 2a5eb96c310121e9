package fleet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.UnitState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Units that systemd stops together with another one that leaves, before their own orders come. */
class StoppedTogetherTest extends AgentOnSystemd {

  private static String text(String text) {
    return text.replace("|", "\n") + "\n";
  }

  private ScheduleEntry start(String unit, String text) throws Exception {
    ScheduleEntry entry = launched(unit, text(text));
    engine.change(entry);
    engine.awaitState(entry.unit(), state -> isRunning(state) && state.restartCounter() == 1);
    return entry;
  }

  private boolean saysThatItHadEnded(ScheduleEntry entry) throws Exception {
    ScheduleEntry stopping = entry.withTarget(TargetState.STOPPING);
    engine.change(stopping);
    return engine.awaitStopped(stopping).ended();
  }

  private static boolean isStopped(UnitState state) {
    return state.systemd().active().equals("inactive");
  }

  @ParameterizedTest
  @CsvSource({
    "head.service, [Unit]|BindsTo=head.service|After=head.service|[Service]|ExecStart=sleep 1000",
    "head.service, [Unit]|PartOf=head.service|[Service]|ExecStart=sleep 1000",
    "head.service, [Unit]|Requires=head.service|[Service]|ExecStart=sleep 1000",
    "head.service, [Unit]|Requires=head.service|[Service]|Type=oneshot|RemainAfterExit=yes"
        + "|ExecStart=true",
    "head.target, [Unit]|PartOf=head.target|[Service]|ExecStart=sleep 1000",
  })
  void aMemberOfWhatLeavesHasNotEndedByItself(String head, String member) throws Exception {
    engine.schedule(List.of());
    ScheduleEntry leader =
        start(
            head,
            head.endsWith("service") ? "[Service]|ExecStart=sleep 1000" : "[Unit]|Description=A");
    ScheduleEntry follower = start("member.service", member);

    engine.change(leader.withTarget(TargetState.STOPPING));
    UnitState told = engine.awaitState(follower.unit(), StoppedTogetherTest::isStopped);

    assertThat(told.problem()).contains(head);
    assertThat(saysThatItHadEnded(follower)).isFalse();
    forget(leader);
    forget(follower);
  }

  @Test
  void norHasTheLastOfAChain() throws Exception {
    engine.schedule(List.of());
    String sleep = "[Service]|ExecStart=sleep 1000";
    ScheduleEntry first = start("first.service", sleep);
    ScheduleEntry second =
        start("second.service", "[Unit]|BindsTo=first.service|After=first.service|" + sleep);
    ScheduleEntry third =
        start("third.service", "[Unit]|BindsTo=second.service|After=second.service|" + sleep);

    assertThat(saysThatItHadEnded(first)).isFalse();
    engine.awaitState(third.unit(), StoppedTogetherTest::isStopped);
    assertThat(saysThatItHadEnded(second)).isFalse();
    assertThat(saysThatItHadEnded(third)).isFalse();
    for (ScheduleEntry entry : List.of(first, second, third)) {
      forget(entry);
    }
  }

  @Test
  void whatHadEndedBeforeHas() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry leader = start("early.service", "[Service]|ExecStart=sleep 1000");
    ScheduleEntry job =
        launched(
            "job.service",
            text("[Unit]|PartOf=early.service|[Service]|Type=oneshot|ExecStart=true"));
    engine.change(job);
    engine.awaitState(job.unit(), state -> isStopped(state) && state.restartCounter() == 1);

    engine.change(leader.withTarget(TargetState.STOPPING));
    engine.awaitGone(leader.unit());

    assertThat(saysThatItHadEnded(job)).isTrue();
    forget(leader);
    forget(job);
  }

  @Test
  void whatEndsAfterItWasStartedAgainHas() throws Exception {
    engine.schedule(List.of());
    ScheduleEntry leader = start("short.service", "[Service]|ExecStart=sleep 1000");
    String text = "[Unit]|PartOf=short.service|[Service]|ExecStart=sleep 1000";
    ScheduleEntry member = start("again.service", text);
    engine.change(leader.withTarget(TargetState.STOPPING));
    engine.awaitState(member.unit(), StoppedTogetherTest::isStopped);
    ScheduleEntry again = launched("again.service", text(text), "i1", 2);
    engine.change(again);
    engine.awaitState(again.unit(), state -> isRunning(state) && state.restartCounter() == 2);

    systemctl("kill", "again.service");
    UnitState ended = engine.awaitState(again.unit(), StoppedTogetherTest::isStopped);

    assertThat(ended.problem()).isEmpty();
    assertThat(saysThatItHadEnded(again)).isTrue();
    forget(leader);
    forget(again);
  }
}
