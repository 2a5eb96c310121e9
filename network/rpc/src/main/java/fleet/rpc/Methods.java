package fleet.rpc;

import com.google.protobuf.Message;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Leader;
import fleet.rpc.v1.WhoLeads;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/** The methods of the RPC port, as the services in the .proto files declare them. */
public final class Methods {

  private static final String PACKAGE = "fleet.rpc.v1.";

  private Methods() {}

  /** Asks any fleetd that has an engine who leads. */
  public static MethodDescriptor<WhoLeads, Leader> directoryAsk() {
    return method(
        MethodType.UNARY,
        "Directory",
        "Ask",
        WhoLeads.getDefaultInstance(),
        Leader.getDefaultInstance());
  }

  /** A machine's stream to the leader. */
  public static MethodDescriptor<FromAgent, FromLeader> coordinationJoin() {
    return method(
        MethodType.BIDI_STREAMING,
        "Coordination",
        "Join",
        FromAgent.getDefaultInstance(),
        FromLeader.getDefaultInstance());
  }

  /** A method of a service of this package; the instances name the types of its messages. */
  public static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String service, String name, Q request, A response) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(PACKAGE + service, name))
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }
}
