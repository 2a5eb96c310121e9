package fleet.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.PassedRequest;
import java.util.Optional;
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

  @Test
  void onlyServersMakeServers() {
    assertThat(by(true).mayMakeServers()).isTrue();
    assertThat(by(false).mayMakeServers()).isFalse();
  }

  @Test
  void aBodyThatIsTooLongIsNone() {
    assertThat(by(true).body(4)).hasValueSatisfying(body -> assertThat(body).hasSize(4));
    assertThat(by(true).body(3)).isEmpty();
  }
}
