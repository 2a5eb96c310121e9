package fleet.relay;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.UncertainLeadException;
import io.grpc.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.junit.jupiter.api.Test;

final class RequestServiceTest {

  private static void isUnanswered(Exception failure, String text) {
    Status told = RequestService.statusOf(failure);
    assertThat(told.getCode()).isEqualTo(RequestService.UNANSWERED);
    assertThat(told.getDescription()).isEqualTo(text);
  }

  @Test
  void aMachineThatBreaksOffIsNoFaultOfTheLeader() {
    isUnanswered(new IOException("machine m3 has left"), "machine m3 has left");
    isUnanswered(new ClusterUnavailableException("no quorum"), "no quorum");
    isUnanswered(new InterruptedIOException(), "ended early");
  }

  @Test
  void aFaultOfTheLeaderIsInItsLog() {
    isUnanswered(
        new IllegalStateException("of no interest elsewhere"),
        "fleetd of the leader failed: see its log");
  }

  @Test
  void anEngineThatDoesNotLeadSaysSo() {
    Status told = RequestService.statusOf(new UncertainLeadException("etcd is not reached"));
    assertThat(told.getCode()).isEqualTo(RequestService.ELSEWHERE);
    assertThat(told.getDescription()).isEqualTo("etcd is not reached");
  }

  @Test
  void theReasonOfABrokenConnectionIsNamed() {
    Status broken =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("wrapped", new IOException("Connection refused: 10.0.0.1")));
    assertThat(LeaderCalls.text(broken)).isEqualTo("Connection refused: 10.0.0.1");
    assertThat(LeaderCalls.text(Status.UNAVAILABLE)).isEqualTo("UNAVAILABLE");
  }
}
