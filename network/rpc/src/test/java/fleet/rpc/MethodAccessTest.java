package fleet.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.rpc.v1.Leader;
import fleet.rpc.v1.WhoLeads;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MethodAccessTest {

  private static final Optional<RpcPeer> STRANGER = Optional.empty();
  private static final Optional<RpcPeer> AGENT = Optional.of(new RpcPeer("m1", false));
  private static final Optional<RpcPeer> SERVER = Optional.of(new RpcPeer("s1", true));

  @ParameterizedTest
  @CsvSource({
    "Enrolment/Enrol, true",
    "Enrolment/Renew, false",
    "Directory/Ask, false",
    "Coordination/Join, false",
    "Requests/Pass, false"
  })
  void whoHasNoCertificateMayOnlyEnrol(String method, boolean stranger) {
    String name = "fleet.rpc.v1." + method;
    assertThat(MethodAccess.refusal(name, STRANGER).isEmpty()).isEqualTo(stranger);
    assertThat(MethodAccess.refusal(name, AGENT)).isEmpty();
    assertThat(MethodAccess.refusal(name, SERVER)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Cluster/Tell",
    "Cluster/Look",
    "Cluster/Ask",
    "JoinTokens/Create",
    "Enrolment/enrol"
  })
  void whatNobodyDecidedOnIsForNobody(String method) {
    String name = "fleet.rpc.v1." + method;
    assertThat(MethodAccess.refusal(name, STRANGER))
        .hasValueSatisfying(it -> assertThat(it.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED));
    for (Optional<RpcPeer> peer : List.of(AGENT, SERVER)) {
      assertThat(MethodAccess.refusal(name, peer))
          .hasValueSatisfying(
              it -> assertThat(it.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED));
    }
  }

  @Test
  void aPortWithAMethodThatNobodyDecidedOnDoesNotOpen() {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("fleet.rpc.v1.Directory")
            .addMethod(
                Methods.method(
                    MethodType.UNARY,
                    "Directory",
                    "Tell",
                    WhoLeads.getDefaultInstance(),
                    Leader.getDefaultInstance()),
                ServerCalls.asyncUnaryCall((_, _) -> {}))
            .build();

    assertThatThrownBy(() ->
            RpcServer.open("127.0.0.1", 0, new RpcSecurity.PlainText(false), List.of(service)))
        .hasMessageContaining("[fleet.rpc.v1.Directory/Tell]");
  }
}
