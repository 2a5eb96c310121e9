package fleet.core.audit;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.audit.AuditEntry.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditThrottleTest {

  private static final long LATER = AuditThrottle.WINDOW.toNanos();

  private final AuditThrottle floods = new AuditThrottle(AuditThrottle.WINDOW);

  private boolean admits(String subject, String action, String target, Result result) {
    return floods.admits(new AuditEntry("r", subject, action, target, result), 0);
  }

  @Test
  void noFloodSilencesWhatWasCarriedOut() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(admits("user eve", "unit.put", "a.service", Result.DONE)).isTrue();
    }
  }

  @Test
  void strangersTakeNoRoomFromPeople() {
    for (int i = 0; i < 10_000; i++) {
      var _ = admits("10.0.0." + i, AuditThrottle.JOIN, "m", Result.REFUSED);
      var _ = admits("10.0.0." + i, AuditThrottle.CALL + "Join", "", Result.REFUSED);
    }
    assertThat(admits("user eve", "unit.put", "a.service", Result.REFUSED)).isTrue();
  }

  @Test
  void aSecretThatIsReadAmongManyReadingsIsWrittenDown() {
    for (int i = 0; i < 5_000; i++) {
      var _ = admits("user eve", "unit.read", "dull.service", Result.DONE);
    }
    assertThat(admits("user eve", "unit.read", "secret.service", Result.DONE)).isTrue();
    assertThat(admits("user eve", "unit.read", "secret.service", Result.DONE)).isFalse();
    assertThat(admits("user bob", "unit.read", "dull.service", Result.DONE)).isTrue();
  }

  @Test
  void aFloodIsToldInOneEntry() {
    for (int i = 0; i < 100; i++) {
      var _ = admits("10.0.0.1", AuditThrottle.JOIN, "m", Result.REFUSED);
    }
    List<AuditEntry> told = floods.ended(LATER);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().text())
        .isEqualTo(
            "machine.join refused left-out: 90 more of 1 senders within 60 s are counted here"
                + " only");
    assertThat(told.getFirst().leftOut()).isEqualTo(90);
  }
}
