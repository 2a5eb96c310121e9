package fleet.cluster.rpc;

import fleet.rpc.Methods;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/** The methods of the service {@code Requests}. */
final class RequestMethods {

  static final String SERVICE = "fleet.rpc.v1.Requests";

  static final MethodDescriptor<PassedRequest, AnswerPart> PASS =
      Methods.method(
          MethodType.SERVER_STREAMING,
          "Requests",
          "Pass",
          PassedRequest.getDefaultInstance(),
          AnswerPart.getDefaultInstance());

  private RequestMethods() {}
}
