package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotStartedException;
import org.junit.jupiter.api.Test;

class AdmissionTest {

  private final Admission admission = new Admission("it is asking 10.0.0.1");

  /** A client of a machine that is restarted meets this, and waits. */
  @Test
  void theFirstAttemptIsAPartOfTheStart() {
    assertThat(admission.refusal())
        .isInstanceOf(NotStartedException.class)
        .hasMessageContaining("it is asking 10.0.0.1");
  }

  @Test
  void anAttemptThatFailedIsToldAtOnce() {
    admission.waits("10.0.0.1 refuses the token");

    assertThat(admission.refusal())
        .isExactlyInstanceOf(ClusterUnavailableException.class)
        .hasMessageContaining("10.0.0.1 refuses the token");
  }
}
