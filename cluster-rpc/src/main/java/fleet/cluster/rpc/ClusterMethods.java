package fleet.cluster.rpc;

import com.google.protobuf.Message;
import fleet.rpc.Methods;
import fleet.rpc.v1.AnswerPiece;
import fleet.rpc.v1.AskMachine;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.CommandDone;
import fleet.rpc.v1.EventBatch;
import fleet.rpc.v1.FollowEvents;
import fleet.rpc.v1.Found;
import fleet.rpc.v1.Query;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/** The methods of the service {@code Cluster}. */
final class ClusterMethods {

  static final String SERVICE = "fleet.rpc.v1.Cluster";

  static final MethodDescriptor<Command, CommandDone> TELL =
      method(
          MethodType.UNARY, "Tell", Command.getDefaultInstance(), CommandDone.getDefaultInstance());

  static final MethodDescriptor<Query, Found> LOOK =
      stream("Look", Query.getDefaultInstance(), Found.getDefaultInstance());

  static final MethodDescriptor<AskMachine, AnswerPiece> ASK =
      stream("Ask", AskMachine.getDefaultInstance(), AnswerPiece.getDefaultInstance());

  static final MethodDescriptor<FollowEvents, EventBatch> FOLLOW =
      stream("Follow", FollowEvents.getDefaultInstance(), EventBatch.getDefaultInstance());

  private ClusterMethods() {}

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> stream(
      String name, Q request, A response) {
    return method(MethodType.SERVER_STREAMING, name, request, response);
  }

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String name, Q request, A response) {
    return Methods.method(type, "Cluster", name, request, response);
  }
}
