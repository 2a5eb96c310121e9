package fleet.agent.answer;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.question.Question;
import fleet.core.question.Question.JournalEntries;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnEntriesTest {

  private static final JournalEntries ALL =
      new JournalEntries(List.of(), JournalEntries.ALL, Optional.empty(), "", false, true);

  private final OwnEntries own = new OwnEntries("_SYSTEMD_UNIT", "fleet.service", "0");

  @ParameterizedTest
  @CsvSource({
    "0::/system.slice/fleet.service, false, fleet.service",
    "0::/system.slice/fleet.service/sub, false, fleet.service",
    "0::/user.slice/user-0.slice/session-3.scope, false, session-3.scope",
    "0::/user.slice/u.slice/user@7.service/app.slice/fleet.service, true, fleet.service",
    "1:name=systemd:/system.slice/fleet.service, false, fleet.service",
    "0::/, false, fleet.service",
  })
  void theUnitIsTheOneThatTheKernelNames(String cgroup, boolean user, String unit) {
    assertThat(OwnEntries.unit(cgroup + "\n", user)).isEqualTo(unit);
  }

  @Test
  void onlyWhatFleetdItselfHasWrittenCounts() {
    assertThat(own.of(new Question.Audit(ALL, "", "")))
        .containsExactly(
            "SYSLOG_IDENTIFIER=fleet-audit",
            "_TRANSPORT=journal",
            "_SYSTEMD_UNIT=fleet.service",
            "_UID=0");
  }

  @Test
  void aSubjectMayLeaveOutItsKind() {
    assertThat(own.of(new Question.Audit(ALL, "root", "web.service")))
        .contains("FLEET_SUBJECT=root", "FLEET_SUBJECT=user root", "FLEET_TARGET=web.service");
  }

  /** No text of a question is an option of journalctl, or a match of its own. */
  @Test
  void aQuestionAddsNoMatch() {
    assertThat(own.of(new Question.Audit(ALL, "--file=/x", "+ _UID=1")))
        .allSatisfy(match -> assertThat(match).matches("(?s)[A-Z_]+=.*"))
        .contains("FLEET_SUBJECT=--file=/x", "FLEET_TARGET=+ _UID=1");
  }
}
