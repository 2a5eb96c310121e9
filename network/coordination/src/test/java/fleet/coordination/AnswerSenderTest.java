package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.unit.UnitName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answer of a machine as it is sent, whatever carries it. */
class AnswerSenderTest {

  private static final int PIECE = 2;
  private static final int MOST_AHEAD = 3;

  private final PlayedTime loop = new PlayedTime(0);
  private final Sent sent = new Sent();
  private final Prepared source = new Prepared(new byte[10], 5);

  private AnswerSender send(Answerer answerer) throws Exception {
    return new AnswerSender(
        loop,
        new Question.Status(UnitName.of("web.service"), false),
        answerer,
        PIECE,
        MOST_AHEAD,
        sent);
  }

  @Test
  void noMoreIsSentAheadThanItsReaderLets() throws Exception {
    AnswerSender sender = send(_ -> source);
    assertThat(sent.told).containsExactly("2", "2", "2");

    sender.taken(1);
    assertThat(sent.told).containsExactly("2", "2", "2", "2");

    sender.taken(4);
    assertThat(sent.told).endsWith("2", "ended 5 ");
    assertThat(source.closed).isTrue();
  }

  @Test
  void aWriterThatIsBusyIsWaitedFor() throws Exception {
    sent.ready = false;
    AnswerSender sender = send(_ -> source);
    assertThat(sent.told).isEmpty();

    sent.ready = true;
    sender.next();

    assertThat(sent.told).hasSize(MOST_AHEAD);
  }

  @Test
  void anAnswerThatCannotBeGivenEndsWithTheReason() throws Exception {
    AnswerSender _ =
        send(_ -> {
          throw new UncheckedIOException("no journal here", new IOException());
        });

    assertThat(sent.told).containsExactly("ended 127 no journal here");
  }

  @Test
  void aFaultInTheMiddleEndsTheAnswer() throws Exception {
    source.faultWithLeft = 6;
    AnswerSender _ = send(_ -> source);

    assertThat(sent.told).containsExactly("2", "2", "ended 127 broken pipe");
    assertThat(source.closed).isTrue();
  }

  @Test
  void nothingIsSentOnceNobodyReads() throws Exception {
    AnswerSender sender = send(_ -> source);

    sender.close();
    sender.taken(3);

    assertThat(sent.told).hasSize(MOST_AHEAD);
    assertThat(source.closed).isTrue();
  }

  private static final class Sent implements AnswerSender.PieceWriter {
    private final List<String> told = new ArrayList<>();
    private boolean ready = true;

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void send(byte[] piece) {
      told.add(String.valueOf(piece.length));
    }

    @Override
    public void end(int exitStatus, String problem) {
      told.add("ended %d %s".formatted(exitStatus, problem));
    }
  }

  private static final class Prepared implements Answer {
    private final ByteArrayInputStream bytes;
    private final int exitStatus;
    private int faultWithLeft = -1;
    private boolean closed;

    Prepared(byte[] bytes, int exitStatus) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.exitStatus = exitStatus;
    }

    @Override
    public InputStream body() {
      return new InputStream() {
        @Override
        public int read() {
          throw new UnsupportedOperationException("read in pieces");
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          if (bytes.available() <= faultWithLeft) {
            throw new IOException("broken pipe");
          }
          return bytes.read(target, offset, length);
        }
      };
    }

    @Override
    public int exitStatus() {
      return exitStatus;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
