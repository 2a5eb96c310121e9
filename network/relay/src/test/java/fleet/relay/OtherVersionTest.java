package fleet.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import fleet.rpc.RpcServer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The other fleetd is of the next version: with fields and parts that this one does not know. */
class OtherVersionTest extends RelayFixture {

  private static final int UNKNOWN = 900;

  private static UnknownFieldSet news() {
    return UnknownFieldSet.newBuilder()
        .addField(UNKNOWN, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
        .build();
  }

  @SuppressWarnings("unchecked")
  private static <M extends Message> M withNews(M message) {
    return (M) message.toBuilder().setUnknownFields(news()).build();
  }

  /** A part that has only what is not known here. */
  private static AnswerPart unknown() {
    return withNews(AnswerPart.getDefaultInstance());
  }

  private static AnswerPart head(boolean endless) {
    AnswerPart.Head head = AnswerPart.Head.newBuilder().setStatus(200).setEndless(endless).build();
    return withNews(AnswerPart.newBuilder().setHead(withNews(head)).build());
  }

  private static AnswerPart data(String text) {
    return withNews(AnswerPart.newBuilder().setData(ByteString.copyFromUtf8(text)).build());
  }

  private static final AnswerPart TAKEN = AnswerPart.getDefaultInstance();

  private static final AnswerPart END =
      withNews(
          AnswerPart.newBuilder().setEnd(withNews(AnswerPart.End.getDefaultInstance())).build());

  private ReceivedAnswer answered(AnswerPart... parts) throws Exception {
    ServerServiceDefinition next =
        ServerServiceDefinition.builder(RequestService.PASS.getServiceName())
            .addMethod(
                RequestService.PASS,
                ServerCalls.asyncServerStreamingCall((_, observer) -> {
                  for (AnswerPart part : parts) {
                    observer.onNext(part);
                  }
                  observer.onCompleted();
                }))
            .build();
    try (RpcServer other = RpcServer.open("127.0.0.1", 0, PLAIN, List.of(next))) {
      leaders.leads(other.address());
      return answer(SentRequest.get("/fleet/v1/units"));
    }
  }

  @Test
  void anAnswerThatHasAnEndComesWhole() throws Exception {
    ReceivedAnswer answer =
        answered(unknown(), TAKEN, unknown(), head(false), unknown(), data("a"), data("b"), END);
    assertThat(answer.body()).isEqualTo("ab");
    assertThat(answer.trailers).isEmpty();
  }

  @Test
  void soDoesOneThatNobodyCanForesee() throws Exception {
    ReceivedAnswer answer =
        answered(TAKEN, head(true), unknown(), data("a"), unknown(), data("b"), END);
    assertThat(answer.pieces).containsExactly("a", "b");
    assertThat(answer.trailers).isEmpty();
  }

  @Test
  void aRequestWithMoreThanIsKnownIsAnswered() throws Exception {
    PassedRequest request =
        PassedRequest.newBuilder().setMethod("GET").setTarget("/fleet/v1/units").build();
    ManagedChannel channel = channels.open(server.address());
    try {
      List<AnswerPart> parts = new ArrayList<>();
      ClientCalls.blockingServerStreamingCall(
              channel, RequestService.PASS, CallOptions.DEFAULT, withNews(request))
          .forEachRemaining(parts::add);
      assertThat(parts.getLast().getData().toStringUtf8()).isEqualTo("first");
    } finally {
      channel.shutdownNow();
    }
    assertThat(leader.requests).hasSize(1);
  }
}
