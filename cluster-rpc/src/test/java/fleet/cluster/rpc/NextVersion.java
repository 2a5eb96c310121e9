package fleet.cluster.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Both ends are of the next version as far as the other one sees: what they say has fields, in
 * every message within, that this version does not know.
 *
 * @param answers what else becomes of what a server answers
 */
record NextVersion(UnaryOperator<Message> answers) implements ServerInterceptor {

  private static final int UNHEARD_OF = 1_000;

  /** A field of each kind that nobody has thought of yet. */
  private static final UnknownFieldSet NEWS =
      UnknownFieldSet.newBuilder()
          .addField(UNHEARD_OF, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
          .addField(
              UNHEARD_OF + 1,
              UnknownFieldSet.Field.newBuilder()
                  .addLengthDelimited(ByteString.copyFromUtf8("what is this?"))
                  .build())
          .build();

  @SuppressWarnings("unchecked")
  static <M extends Message> M withNews(M message) {
    Message.Builder builder = message.toBuilder();
    message
        .getAllFields()
        .forEach((field, value) -> builder.setField(field, withNews(field, value)));
    return (M) builder.setUnknownFields(NEWS).build();
  }

  private static Object withNews(FieldDescriptor field, Object value) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return value;
    }
    return value instanceof List<?> all
        ? all.stream().map(each -> withNews((Message) each)).toList()
        : withNews((Message) value);
  }

  @Override
  @SuppressWarnings("unchecked")
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var newer =
        new SimpleForwardingServerCall<Q, A>(call) {
          @Override
          public void sendMessage(A answer) {
            super.sendMessage((A) withNews(answers.apply((Message) answer)));
          }
        };
    return new SimpleForwardingServerCallListener<>(next.startCall(newer, headers)) {
      @Override
      public void onMessage(Q request) {
        super.onMessage((Q) withNews((Message) request));
      }
    };
  }
}
