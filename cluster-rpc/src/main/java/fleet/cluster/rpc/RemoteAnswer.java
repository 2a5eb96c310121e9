package fleet.cluster.rpc;

import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.rpc.message.QuestionMessages;
import fleet.rpc.v1.AnswerPiece;
import fleet.rpc.v1.AskMachine;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A machine's answer that comes by way of the leader. A piece is fetched when it is read, so that
 * nothing piles up anywhere.
 */
final class RemoteAnswer implements Answer {

  private static final long FIRST_PIECE_SECONDS = 15;
  private static final int DRAIN = 8 << 10;

  private final String machine;
  private final BlockingClientCall<AskMachine, AnswerPiece> call;
  private final Body body = new Body();
  private int exitStatus;
  private volatile boolean closed;

  private RemoteAnswer(String machine, BlockingClientCall<AskMachine, AnswerPiece> call) {
    this.machine = machine;
    this.call = call;
  }

  /** Puts the question; asked again where nobody has answered yet. */
  static Optional<Answer> ask(LeaderCalls calls, String machine, Question question) {
    AskMachine asked =
        AskMachine.newBuilder()
            .setMachine(machine)
            .setQuestion(QuestionMessages.message(question))
            .build();
    return calls.repeat((channel, options) -> {
      BlockingClientCall<AskMachine, AnswerPiece> call =
          ClientCalls.blockingV2ServerStreamingCall(channel, ClusterMethods.ASK, options, asked);
      boolean answers = false;
      try {
        AnswerPiece first = call.read(FIRST_PIECE_SECONDS, TimeUnit.SECONDS);
        answers = first != null && first.getAnswers();
      } finally {
        if (!answers) {
          call.cancel("nobody answers", null);
        }
      }
      return answers ? Optional.<Answer>of(new RemoteAnswer(machine, call)) : Optional.empty();
    });
  }

  @Override
  public InputStream body() {
    return body;
  }

  @Override
  public int exitStatus() throws InterruptedException {
    byte[] rest = new byte[DRAIN];
    try {
      while (body.read(rest, 0, rest.length) >= 0) {
        Arrays.fill(rest, (byte) 0);
      }
      return exitStatus;
    } catch (InterruptedIOException e) {
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (IOException e) {
      return 1;
    }
  }

  @Override
  public void close() {
    closed = true;
    call.cancel("nobody reads the answer any more", null);
  }

  private final class Body extends InputStream {
    private byte[] piece = new byte[0];
    private int position;
    private boolean ended;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, into.length);
      if (length == 0) {
        return 0;
      }
      while (position == piece.length && !ended) {
        fetch();
      }
      if (position == piece.length) {
        return -1;
      }
      int count = Math.min(length, piece.length - position);
      System.arraycopy(piece, position, into, offset, count);
      position += count;
      return count;
    }

    private void fetch() throws IOException {
      AnswerPiece next;
      try {
        next = call.read();
      } catch (StatusException e) {
        throw new IOException(brokeOff(String.valueOf(e.getStatus().getDescription())), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException) new InterruptedIOException().initCause(e);
      }
      if (next == null) {
        throw new IOException(brokeOff("it has no end"));
      }
      switch (next.getContentCase()) {
        case DATA -> {
          piece = next.getData().toByteArray();
          position = 0;
        }
        case EXIT_STATUS -> {
          exitStatus = next.getExitStatus();
          ended = true;
        }
        case ANSWERS, CONTENT_NOT_SET -> {
          // Nothing to read.
        }
      }
    }

    private String brokeOff(String why) {
      return closed
          ? "the answer was closed"
          : "the answer of machine " + machine + " broke off: " + why;
    }
  }
}
