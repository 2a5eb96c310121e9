package fleet.relay;

import com.google.protobuf.ByteString;
import fleet.cluster.request.ApiAnswer;
import fleet.rpc.v1.AnswerPart;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The answer to a relayed request. Its thread waits while the reader is slow, and is interrupted
 * when the reader goes.
 */
final class SentAnswer implements ApiAnswer {

  /** In bytes. */
  private static final int PIECE = 64 << 10;

  private final ServerCallStreamObserver<AnswerPart> call;
  private final OpenAnswers open;
  private final Context reader;
  private final AnswerPart.Builder next = AnswerPart.newBuilder();
  private boolean begun;
  private boolean endless;

  /** To be made by the thread that took the call. */
  SentAnswer(ServerCallStreamObserver<AnswerPart> call, OpenAnswers open) {
    this.call = call;
    this.open = open;
    this.reader = Context.current();
  }

  /** Starts the thread that writes it; to be called by the one that took the call. */
  void start(Thread writer) {
    call.setOnReadyHandler(() -> LockSupport.unpark(writer));
    // Without it, a part that is sent as the reader goes is an error of this side.
    call.setOnCancelHandler(() -> open.end(this));
    call.setOnCloseHandler(() -> open.end(this));
    Watch _ = onGone(writer::interrupt);
    writer.start();
  }

  /** Sends what there is once there is room; an empty part acknowledges the request. */
  void send() throws IOException {
    while (reader.isCancelled() || !call.isReady()) {
      if (reader.isCancelled() || Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("ended early");
      }
      LockSupport.park(call);
    }
    call.onNext(next.build());
    next.clear();
  }

  @Override
  public void begin(Head head) throws IOException {
    begun = true;
    endless = head.isEndless();
    next.getHeadBuilder()
        .setStatus(head.status())
        .putAllHeaders(head.headers())
        .setEndless(endless);
    if (endless) {
      open.end(this);
      send();
    }
  }

  /** Events are sent at once; finite answers in full parts. */
  @Override
  public void write(byte[] bytes, int length) throws IOException {
    for (int from = 0; from < length; from += PIECE) {
      ByteString piece = ByteString.copyFrom(bytes, from, Math.min(PIECE, length - from));
      next.setData(next.getData().concat(piece));
      if (endless || next.getData().size() >= PIECE) {
        send();
      }
    }
  }

  /** A message has a largest size. The last part has the position. */
  @Override
  public void write(byte[] events, String lastEventId) throws IOException {
    int last = Math.max(0, events.length - PIECE);
    for (int from = 0; from < last; from += PIECE) {
      next.setData(ByteString.copyFrom(events, from, Math.min(PIECE, last - from))).setMore(true);
      send();
    }
    next.setData(ByteString.copyFrom(events, last, events.length - last)).setPosition(lastEventId);
    send();
  }

  @Override
  public void end(Map<String, String> trailers) throws IOException {
    next.getEndBuilder().putAllTrailers(trailers);
    send();
  }

  /** The relay would pass on an end as the end. */
  @Override
  public void continueElsewhere() throws IOException {
    throw new IOException("the current leader continues this stream");
  }

  @Override
  public boolean isBegun() {
    return begun;
  }

  /** The reader is gone with the call. */
  @Override
  public Watch onGone(Runnable action) {
    Context.CancellationListener listener = _ -> action.run();
    reader.addListener(listener, Runnable::run);
    return () -> reader.removeListener(listener);
  }
}
