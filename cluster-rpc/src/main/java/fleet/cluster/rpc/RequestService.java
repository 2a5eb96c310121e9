package fleet.cluster.rpc;

import fleet.cluster.request.ApiHandler;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Answers requests that other fleetds pass on. Where this one does not lead, they are told so. Safe
 * for use by many threads.
 */
public final class RequestService implements BindableService {

  private static final AnswerPart TAKEN =
      AnswerPart.newBuilder().setTaken(AnswerPart.Taken.getDefaultInstance()).build();

  private final ApiHandler handler;
  private final LongConsumer awaitRevision;

  /**
   * Answers.
   *
   * @param handler throws {@link fleet.cluster.NotLeadingException} where another one has to be
   *     asked
   * @param awaitRevision returns once answers see everything up to a revision of the store
   */
  public RequestService(ApiHandler handler, LongConsumer awaitRevision) {
    this.handler = handler;
    this.awaitRevision = awaitRevision;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(RequestMethods.SERVICE)
        .addMethod(RequestMethods.PASS, ServerCalls.asyncServerStreamingCall(this::pass))
        .build();
  }

  private void pass(PassedRequest passed, StreamObserver<AnswerPart> observer) {
    Optional<RpcPeer> by = RpcPeer.current();
    Outlet.write(
        "request",
        (ServerCallStreamObserver<AnswerPart>) observer,
        outlet -> answer(new TakenRequest(passed, by), outlet));
  }

  private void answer(TakenRequest request, Outlet<AnswerPart> outlet) throws Exception {
    outlet.send(TAKEN);
    if (request.passed().getAtLeast() > 0) {
      awaitRevision.accept(request.passed().getAtLeast());
    }
    handler.handle(request, new SentAnswer(outlet));
  }
}
