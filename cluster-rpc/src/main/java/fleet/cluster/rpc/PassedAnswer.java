package fleet.cluster.rpc;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.request.ApiAnswer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What whoever leads answers to a request that was passed on. A part is fetched when there is room
 * for it, so that nothing piles up; only the beginning of what has an end is held back, so that
 * another leader can be asked if it breaks off. For one thread.
 */
final class PassedAnswer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PassedAnswer.class);

  /** Whoever leads says at once that it has a request. */
  private static final long TAKEN_SECONDS = 8;

  /** The registry may take its time, and a machine that is asked. */
  private static final long NEXT_PART_SECONDS = 30;

  /** In bytes. */
  private static final int HELD_BACK = 4 << 20;

  private final BlockingClientCall<PassedRequest, AnswerPart> call;
  private final ApiAnswer.Head head;
  private final ByteArrayOutputStream held;
  private Optional<Map<String, String>> end;
  private Optional<String> position = Optional.empty();
  private boolean told;

  private PassedAnswer(
      BlockingClientCall<PassedRequest, AnswerPart> call,
      ApiAnswer.Head head,
      ByteArrayOutputStream held,
      Optional<Map<String, String>> end) {
    this.call = call;
    this.head = head;
    this.held = held;
    this.end = end;
  }

  /**
   * Passes a request on, and waits until its answer has begun.
   *
   * @throws TimeoutException where who leads is silent
   */
  static PassedAnswer to(PassedRequest request, Channel channel, CallOptions options)
      throws StatusException, InterruptedException, TimeoutException {
    BlockingClientCall<PassedRequest, AnswerPart> call =
        ClientCalls.blockingV2ServerStreamingCall(channel, RequestMethods.PASS, options, request);
    boolean begun = false;
    try {
      PassedAnswer answer = begun(call);
      begun = true;
      return answer;
    } finally {
      if (!begun) {
        call.cancel("not begun", null);
      }
    }
  }

  private static PassedAnswer begun(BlockingClientCall<PassedRequest, AnswerPart> call)
      throws StatusException, InterruptedException, TimeoutException {
    AnswerPart part = call.read(TAKEN_SECONDS, TimeUnit.SECONDS);
    while (part != null && !part.hasHead() && !part.hasWhole()) {
      part = call.read(NEXT_PART_SECONDS, TimeUnit.SECONDS);
    }
    if (part == null) {
      throw new ClusterUnavailableException("the leader has nothing to answer");
    }
    ApiAnswer.Head head = head(part.hasWhole() ? part.getWhole().getHead() : part.getHead());
    ByteArrayOutputStream held = new ByteArrayOutputStream();
    held.writeBytes(part.getWhole().getData().toByteArray());
    Optional<Map<String, String>> end = endOf(part);
    while (!head.isEndless() && end.isEmpty() && held.size() < HELD_BACK) {
      part = call.read(NEXT_PART_SECONDS, TimeUnit.SECONDS);
      if (part == null) {
        throw new ClusterUnavailableException("the answer of the leader has no end");
      }
      held.writeBytes(part.getData().toByteArray());
      end = endOf(part);
    }
    return new PassedAnswer(call, head, held, end);
  }

  private static ApiAnswer.Head head(AnswerPart.Head head) {
    return new ApiAnswer.Head(
        head.getStatus(), Headers.of(head.getHeadersList()), head.getEndless());
  }

  private static Optional<Map<String, String>> endOf(AnswerPart part) {
    return switch (part.getWhatCase()) {
      case END -> Optional.of(Headers.of(part.getEnd().getTrailersList()));
      case WHOLE -> Optional.of(Headers.of(part.getWhole().getEnd().getTrailersList()));
      default -> Optional.empty();
    };
  }

  ApiAnswer.Head head() {
    return head;
  }

  /** Whether all of it is here. */
  boolean isWhole() {
    return end.isPresent();
  }

  /** Copies all of it, where all of it is here. */
  void copyTo(ApiAnswer answer) throws IOException {
    answer.whole(head, held.toByteArray());
  }

  /**
   * Copies what comes after the head.
   *
   * @param known after which event it goes on, where that is known before it says so
   * @return after which event it goes on, where it broke off and does; empty where all of it came
   * @throws IOException where it broke off and does not go on, or its reader is gone
   */
  Optional<String> appendTo(ApiAnswer answer, Optional<String> known)
      throws IOException, InterruptedException {
    position = known;
    try {
      write(held.toByteArray(), answer);
      while (end.isEmpty()) {
        AnswerPart part = call.read();
        if (part == null) {
          throw new IOException("the answer of the leader has no end");
        }
        take(part, answer);
      }
      answer.end(end.get());
      return Optional.empty();
    } catch (StatusException e) {
      if (position.isEmpty() || !LeaderCalls.mayGoOn(e)) {
        throw new IOException("the answer of the leader broke off", e);
      }
      log.debug("what the leader told ended: {}", e.getStatus());
      return position;
    }
  }

  /** Whether it had anything to tell, be it only that it is there. */
  boolean hasTold() {
    return told;
  }

  private void write(byte[] bytes, ApiAnswer answer) throws IOException {
    told |= bytes.length > 0;
    answer.write(bytes, bytes.length);
  }

  private void take(AnswerPart part, ApiAnswer answer) throws IOException {
    switch (part.getWhatCase()) {
      case DATA -> write(part.getData().toByteArray(), answer);
      case POSITION -> position = Optional.of(part.getPosition());
      case END -> end = endOf(part);
      case TAKEN, HEAD, WHOLE, WHAT_NOT_SET -> {
        // Nothing of the body.
      }
    }
  }

  @Override
  public void close() {
    call.cancel("nobody reads any more", null);
  }
}
