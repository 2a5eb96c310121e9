package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.agent.bid.Bidder;
import fleet.agent.bid.Conditions;
import fleet.agent.bid.LoadMeter;
import fleet.agent.exec.ExecSessions;
import fleet.agent.usage.UsageMeter;
import fleet.coordination.EventThread;
import fleet.core.machine.Resources;
import fleet.core.question.Answer;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import fleet.core.unit.UnitName;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemctlCallsTest {

  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path marks;

  private MachineAnswerer answerer(boolean userManager) {
    Path root = Path.of("/");
    return new MachineAnswerer(
        userManager,
        new UsageMeter.Place(root, marks, root, root, Resources.UNKNOWN),
        new Bidder(
            EventThread::new,
            new LoadMeter(root, root),
            new Conditions(userManager),
            Resources.UNKNOWN,
            Resources.UNKNOWN),
        new ExecSessions(false, userManager));
  }

  /** A unit of the machine's own, or one that has moved away and that somebody else runs now. */
  @Test
  void aUnitThatFleetDidNotPlaceHereTakesNoOrder() throws Exception {
    var stop =
        new Question.Systemctl(WEB, UnitVerb.KILL, Optional.of(new KillSignal("KILL", "all")));
    try (Answer answer = answerer(false).answer(stop)) {
      assertThat(new String(answer.body().readAllBytes(), UTF_8))
          .isEqualTo("fleet has no unit web.service on this machine\n");
      assertThat(answer.exitStatus()).isEqualTo(1);
    }
  }

  @Test
  void systemctlIsToldWhatTheOrderSays() {
    assertThat(
            answerer(true)
                .command(new Question.Systemctl(WEB, UnitVerb.RESET_FAILED, Optional.empty())))
        .containsExactly("systemctl", "--user", "reset-failed", "--", "web.servic[e]");
    UnitName escaped = UnitName.of("dev-a\\x2db.service");
    assertThat(
            answerer(false)
                .command(new Question.Systemctl(escaped, UnitVerb.RESET_FAILED, Optional.empty())))
        .endsWith("dev-a\\\\x2db.servic[e]");
    assertThat(
            answerer(false)
                .command(
                    new Question.Systemctl(
                        WEB, UnitVerb.KILL, Optional.of(new KillSignal("SIGHUP", "main")))))
        .containsExactly(
            "systemctl", "kill", "--signal=HUP", "--kill-who=main", "--", "web.service");
  }
}
