package fleet.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class SaidTest {

  @Test
  void aMachineThatBreaksOffIsNoFaultOfTheLeader() {
    StatusException told = Said.of(new IOException("machine m3 has left"));
    assertThat(Said.by(told)).contains(Said.UNAVAILABLE);
    assertThat(told.getStatus().getDescription()).isEqualTo("machine m3 has left");
  }

  @Test
  void whatTheLeaderDidNotExpectIsItsFaultAndInItsLog() {
    StatusException told = Said.of(new IllegalStateException("of no interest elsewhere"));
    assertThat(Said.by(told)).contains(Said.FAULT);
    assertThat(told.getStatus().getDescription())
        .isEqualTo("fleetd of the leader failed: see its log");
  }

  @Test
  void whatBrokeTheWayIsNamed() {
    Status broken =
        Status.UNAVAILABLE
            .withDescription("io exception")
            .withCause(new IOException("wrapped", new IOException("Connection refused: 10.0.0.1")));
    assertThat(LeaderCalls.text(broken)).isEqualTo("io exception: Connection refused: 10.0.0.1");
    assertThat(LeaderCalls.text(Status.UNAVAILABLE)).isEqualTo("UNAVAILABLE");
  }
}
