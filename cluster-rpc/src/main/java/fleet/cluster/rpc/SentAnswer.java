package fleet.cluster.rpc;

import com.google.protobuf.ByteString;
import fleet.cluster.request.ApiAnswer;
import fleet.rpc.v1.AnswerPart;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** The answer to a request that another fleetd has passed on. */
final class SentAnswer implements ApiAnswer {

  /** In bytes. */
  private static final int PIECE = 64 << 10;

  private final Outlet<AnswerPart> outlet;
  private boolean begun;

  SentAnswer(Outlet<AnswerPart> outlet) {
    this.outlet = outlet;
  }

  @Override
  public void whole(Head head, byte[] body) throws IOException {
    begin(head);
    send(body, body.length);
    end(Map.of());
  }

  @Override
  public void begin(Head head) throws IOException {
    begun = true;
    send(
        AnswerPart.newBuilder()
            .setHead(
                AnswerPart.Head.newBuilder()
                    .setStatus(head.status())
                    .addAllHeaders(Headers.messages(head.headers()))
                    .setEndless(head.isEndless()))
            .build());
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    send(bytes, length);
  }

  private void send(byte[] bytes, int length) throws IOException {
    for (int from = 0; from < length; from += PIECE) {
      ByteString piece = ByteString.copyFrom(bytes, from, Math.min(PIECE, length - from));
      send(AnswerPart.newBuilder().setData(piece).build());
    }
  }

  @Override
  public void end(Map<String, String> trailers) throws IOException {
    send(
        AnswerPart.newBuilder()
            .setEnd(AnswerPart.End.newBuilder().addAllTrailers(Headers.messages(trailers)))
            .build());
  }

  /** An end would be passed on as one. */
  @Override
  public void continueElsewhere() throws IOException {
    throw new IOException("what follows is told by whoever leads now");
  }

  @Override
  public void at(String lastEventId) throws IOException {
    send(AnswerPart.newBuilder().setPosition(lastEventId).build());
  }

  private void send(AnswerPart part) throws IOException {
    try {
      outlet.send(part);
    } catch (CancellationException e) {
      throw new IOException("nobody reads the answer any more", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  @Override
  public boolean isBegun() {
    return begun;
  }

  /** Whoever reads is gone with the call. */
  @Override
  public Watch onGone(Runnable action) {
    outlet.onCancel(action);
    return () -> outlet.onCancel(() -> {});
  }
}
