package fleet.relay;

import com.google.protobuf.ByteString;
import fleet.cluster.request.ApiAnswer;
import fleet.rpc.v1.AnswerPart;
import fleet.rpc.v1.PassedRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's answer to a relayed request. A part is fetched when there is room for it, so that
 * nothing piles up; only the beginning of a finite answer is held back, so that another leader can
 * be asked if it breaks off. For one thread.
 */
final class PassedAnswer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PassedAnswer.class);

  /** The leader acknowledges a request at once. */
  private static final long TAKEN_SECONDS = 8;

  /** The registry may take its time, and a machine that is asked. */
  private static final long NEXT_PART_SECONDS = 30;

  private static final long FOREVER_SECONDS = Integer.MAX_VALUE;

  /** In bytes. */
  private static final int HELD_BACK = 4 << 20;

  private final BlockingClientCall<PassedRequest, AnswerPart> call;
  private final AnswerPart held;
  private boolean told;

  private PassedAnswer(BlockingClientCall<PassedRequest, AnswerPart> call, AnswerPart held) {
    this.call = call;
    this.held = held;
  }

  /**
   * Relays a request, and waits until its answer has begun.
   *
   * @throws StatusException also if who leads is silent
   */
  static PassedAnswer to(PassedRequest request, Channel channel, CallOptions options)
      throws StatusException, InterruptedException {
    BlockingClientCall<PassedRequest, AnswerPart> call =
        ClientCalls.blockingV2ServerStreamingCall(channel, RequestService.PASS, options, request);
    try {
      return new PassedAnswer(call, begun(call));
    } catch (Exception e) {
      call.cancel("not begun", e);
      throw e;
    }
  }

  private static AnswerPart begun(BlockingClientCall<PassedRequest, AnswerPart> call)
      throws StatusException, InterruptedException {
    AnswerPart part = next(call, TAKEN_SECONDS);
    while (!part.hasHead()) {
      part = next(call, NEXT_PART_SECONDS);
    }
    AnswerPart.Head head = part.getHead();
    ByteString data = part.getData();
    while (!head.getEndless() && !part.hasEnd() && data.size() < HELD_BACK) {
      part = next(call, NEXT_PART_SECONDS);
      data = data.concat(part.getData());
    }
    return part.toBuilder().setHead(head).setData(data).build();
  }

  private static AnswerPart next(BlockingClientCall<PassedRequest, AnswerPart> call, long seconds)
      throws StatusException, InterruptedException {
    try {
      AnswerPart part = call.read(seconds, TimeUnit.SECONDS);
      if (part == null) {
        throw Status.DATA_LOSS.withDescription("its answer has no end").asException();
      }
      return part;
    } catch (TimeoutException e) {
      throw Status.DEADLINE_EXCEEDED.withDescription("it is silent").asException();
    }
  }

  ApiAnswer.Head head() {
    AnswerPart.Head head = held.getHead();
    return new ApiAnswer.Head(head.getStatus(), head.getHeadersMap(), head.getEndless());
  }

  /** Whether all of it is here. */
  boolean isWhole() {
    return held.hasEnd();
  }

  /** Copies all of it, if it is complete. */
  void copyTo(ApiAnswer answer) throws IOException {
    answer.whole(head(), held.getData().toByteArray());
  }

  /**
   * Copies the body.
   *
   * @param known the last event, if that is known already
   * @return the last event, if the answer broke off and can continue; empty if it is complete
   * @throws IOException if it broke off and cannot continue, or its reader is gone
   */
  Optional<String> appendTo(ApiAnswer answer, Optional<String> known)
      throws IOException, InterruptedException {
    Optional<String> position = known;
    AnswerPart part = held;
    try {
      while (true) {
        if (!part.getData().isEmpty()) {
          told = true;
          answer.write(part.getData().toByteArray(), part.getData().size());
        }
        if (!part.getPosition().isEmpty()) {
          position = Optional.of(part.getPosition());
        }
        if (part.hasEnd()) {
          answer.end(part.getEnd().getTrailersMap());
          return Optional.empty();
        }
        part = next(call, FOREVER_SECONDS);
      }
    } catch (StatusException e) {
      // Another leader would begin with the whole of an event of which the reader has a part.
      if (position.isEmpty() || part.getMore() || !LeaderCalls.mayGoOn(e)) {
        throw new IOException("the answer of the leader broke off", e);
      }
      log.debug("the leader's answer ended: {}", e.getStatus());
      return position;
    }
  }

  /** Whether anything has come of it, even only a keepalive. */
  boolean hasTold() {
    return told;
  }

  @Override
  public void close() {
    call.cancel("nobody reads any more", null);
  }
}
