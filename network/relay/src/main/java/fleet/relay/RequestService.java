package fleet.relay;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotLeadingException;
import fleet.cluster.request.ApiHandler;
import fleet.rpc.Methods;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests that other fleetds relay. If this one does not lead, it says so. Safe for use by
 * many threads.
 */
public final class RequestService implements BindableService {

  static final MethodDescriptor<PassedRequest, AnswerPart> PASS =
      Methods.method(
          MethodType.SERVER_STREAMING,
          "Requests",
          "Pass",
          PassedRequest.getDefaultInstance(),
          AnswerPart.getDefaultInstance());

  /** Another one leads; nothing was done. gRPC itself gives this status to no call. */
  static final Status.Code ELSEWHERE = Status.Code.FAILED_PRECONDITION;

  /** The cluster cannot answer now, or failed to. gRPC itself gives this status to no call. */
  static final Status.Code UNANSWERED = Status.Code.ABORTED;

  private static final Logger log = LoggerFactory.getLogger(RequestService.class);

  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  private final ApiHandler handler;
  private final LongConsumer awaitRevision;
  private final OpenAnswers open = new OpenAnswers();

  /**
   * Answers.
   *
   * @param handler throws {@link NotLeadingException} if another one has to be asked
   * @param awaitRevision returns once answers see everything up to a revision of the store
   */
  public RequestService(ApiHandler handler, LongConsumer awaitRevision) {
    this.handler = handler;
    this.awaitRevision = awaitRevision;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(PASS.getServiceName())
        .addMethod(PASS, ServerCalls.asyncServerStreamingCall(this::pass))
        .build();
  }

  /**
   * Waits some seconds at most for the answers to all requests that have arrived. Later requests
   * are refused: nothing was done.
   */
  public void drain() throws InterruptedException {
    open.await(LAST_ANSWERS);
  }

  private void pass(PassedRequest passed, StreamObserver<AnswerPart> observer) {
    var call = (ServerCallStreamObserver<AnswerPart>) observer;
    TakenRequest request = new TakenRequest(passed, RpcPeer.current());
    SentAnswer answer = new SentAnswer(call, open);
    if (!open.begin(answer)) {
      call.onError(statusOf(new NotLeadingException("fleetd is stopping")).asException());
      return;
    }
    answer.start(
        Thread.ofVirtual()
            .name("request")
            .unstarted(() -> {
              try {
                answer(request, answer);
                call.onCompleted();
              } catch (Exception e) {
                call.onError(statusOf(e).asException());
              }
            }));
  }

  private void answer(TakenRequest request, SentAnswer answer)
      throws IOException, InterruptedException {
    answer.send();
    if (request.passed().getAtLeast() > 0) {
      awaitRevision.accept(request.passed().getAtLeast());
    }
    handler.handle(request, answer);
  }

  /** The status by which the other fleetd is told of a failure. */
  static Status statusOf(Exception failure) {
    String text = Objects.requireNonNullElse(failure.getMessage(), "ended early");
    return switch (failure) {
      case NotLeadingException _ -> ELSEWHERE.toStatus().withDescription(text);
      // After an IOException, the asked machine or the connection to it is gone.
      case ClusterUnavailableException _, IOException _, InterruptedException _ ->
          UNANSWERED.toStatus().withDescription(text);
      default -> {
        log.error("a request of another fleetd failed", failure);
        yield UNANSWERED.toStatus().withDescription("fleetd of the leader failed: see its log");
      }
    };
  }
}
