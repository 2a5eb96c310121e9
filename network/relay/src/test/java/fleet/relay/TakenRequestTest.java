package fleet.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import fleet.core.access.AccessRole;
import fleet.core.access.Subject;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.PassedRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TakenRequestTest {

  private static final PassedRequest PASSED =
      PassedRequest.newBuilder()
          .setCaller("user root")
          .setBody(ByteString.copyFromUtf8("1234"))
          .build();

  private static TakenRequest by(boolean server) {
    return new TakenRequest(PASSED, Optional.of(new RpcPeer("m2", server)));
  }

  @Test
  void whoAsksIsWhomTheMachineNamesOnThatMachine() {
    assertThat(by(false).caller().name()).isEqualTo("user root on m2");
    assertThat(new TakenRequest(PASSED, Optional.empty()).caller().name()).isEqualTo("user root");
  }

  /** C1: what a machine says of itself is a name in the record, and decides nothing. */
  @Test
  void aMachineThatIsNoServerAsksAsItselfWhateverItClaims() {
    for (Subject claimed :
        List.of(
            new Subject.User("root", 0, Set.of("root", "fleet")),
            new Subject.Person("alice", Optional.of(AccessRole.ADMIN)),
            Subject.Person.loggedIn("alice", "k1"),
            new Subject.Anybody("127.0.0.1"),
            new Subject.Fleetd())) {
      PassedRequest passed = PASSED.toBuilder().setAsker(SubjectMessages.message(claimed)).build();
      assertThat(new TakenRequest(passed, Optional.of(new RpcPeer("m2", false))).subject())
          .isEqualTo(new Subject.Joined("m2", "user root"));
      assertThat(new TakenRequest(passed, Optional.of(new RpcPeer("m2", true))).subject())
          .isEqualTo(claimed);
    }
    assertThat(by(false).subject()).isEqualTo(new Subject.Joined("m2", "user root"));
  }

  /** A machine sees no list of another machine's reader, whatever it names as the connection. */
  @Test
  void connectionsAreOfTheMachineThatPassesOn() {
    assertThat(by(false).connection()).startsWith("m2/");
  }

  @Test
  void aBodyThatIsTooLongIsNone() {
    assertThat(by(true).body(4)).hasValueSatisfying(body -> assertThat(body).hasSize(4));
    assertThat(by(true).body(3)).isEmpty();
  }
}
