package fleet.cluster.rpc;

import com.google.protobuf.ByteString;
import fleet.cluster.request.ApiAnswer;
import fleet.rpc.v1.AnswerPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** The answer to a request that another fleetd has passed on. */
final class SentAnswer implements ApiAnswer {

  /** In bytes. */
  private static final int PIECE = 64 << 10;

  private final Outlet<AnswerPart> outlet;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private AnswerPart.Head head = AnswerPart.Head.getDefaultInstance();
  private boolean begun;
  private boolean sent;

  SentAnswer(Outlet<AnswerPart> outlet) {
    this.outlet = outlet;
  }

  @Override
  public void whole(Head head, byte[] body) throws IOException {
    begin(head);
    write(body, body.length);
    end(Map.of());
  }

  @Override
  public void begin(Head head) throws IOException {
    begun = true;
    this.head =
        AnswerPart.Head.newBuilder()
            .setStatus(head.status())
            .addAllHeaders(Headers.messages(head.headers()))
            .setEndless(head.isEndless())
            .build();
    if (head.isEndless()) {
      sendHeld();
    }
  }

  /** News goes at once; of what has an end, as much at once as a part holds. */
  @Override
  public void write(byte[] bytes, int length) throws IOException {
    for (int from = 0; from < length; from += PIECE) {
      held.write(bytes, from, Math.min(PIECE, length - from));
      if (head.getEndless() || held.size() >= PIECE) {
        sendHeld();
      }
    }
  }

  private void sendHeld() throws IOException {
    if (!sent) {
      sent = true;
      send(AnswerPart.newBuilder().setHead(head).build());
    }
    if (held.size() > 0) {
      send(AnswerPart.newBuilder().setData(takeHeld()).build());
    }
  }

  private ByteString takeHeld() {
    ByteString data = ByteString.copyFrom(held.toByteArray());
    held.reset();
    return data;
  }

  @Override
  public void end(Map<String, String> trailers) throws IOException {
    AnswerPart.End end =
        AnswerPart.End.newBuilder().addAllTrailers(Headers.messages(trailers)).build();
    if (sent) {
      sendHeld();
      send(AnswerPart.newBuilder().setEnd(end).build());
    } else {
      send(
          AnswerPart.newBuilder()
              .setWhole(AnswerPart.Whole.newBuilder().setHead(head).setData(takeHeld()).setEnd(end))
              .build());
    }
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
