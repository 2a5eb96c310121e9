package fleet.coordination;

import fleet.core.question.Answer;
import fleet.core.question.Question;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one question on the machine that was asked. The answer is read beside the loop, piece by
 * piece, at the pace of its reader and while the writer has room. A fault of the answer is sent as
 * its end. Belongs to its loop.
 */
public final class AnswerSender implements AutoCloseable {

  /** Carries pieces to the reader. Called on the loop; must not wait. */
  public interface PieceWriter {

    /** Whether it takes a piece now; call {@link AnswerSender#next} when it does again. */
    boolean isReady();

    void send(byte[] piece);

    /**
     * Carries the end of the answer, the last that is sent.
     *
     * @param problem what cut the answer short; empty if it is complete
     */
    void end(int exitStatus, String problem);
  }

  /** The exit status of a question that could not be answered, as shells have it. */
  public static final int CANNOT_RUN = 127;

  private static final Logger log = LoggerFactory.getLogger(AnswerSender.class);

  private final EventLoop loop;
  private final int pieceSize;
  private final int mostAhead;
  private final PieceWriter writer;
  private long sent;
  private long taken;
  private boolean reading;
  private boolean over;
  private @Nullable Answer answer;

  /**
   * Begins to answer.
   *
   * @param pieceSize the most bytes of a piece
   * @param mostAhead how many pieces may be on their way that the reader has not taken
   */
  public AnswerSender(
      EventLoop loop,
      Question question,
      Answerer answerer,
      int pieceSize,
      int mostAhead,
      PieceWriter writer) {
    this.loop = loop;
    this.pieceSize = pieceSize;
    this.mostAhead = mostAhead;
    this.writer = writer;
    log.debug("coordination: answering {}", question);
    beside("answering", () -> begin(answerer.answer(question)));
  }

  private Runnable begin(Answer source) {
    return () -> {
      answer = source;
      if (over) {
        end(source);
      } else {
        next();
      }
    };
  }

  /** The reader has taken this many pieces in total. */
  public void taken(long count) {
    taken = Math.max(taken, count);
    next();
  }

  /** Continues if the reader and the writer take more. */
  public void next() {
    Answer source = answer;
    if (source == null || reading || over || sent - taken >= mostAhead || !writer.isReady()) {
      return;
    }
    reading = true;
    beside("answer", () -> read(source));
  }

  private Runnable read(Answer source) throws IOException, InterruptedException {
    byte[] buffer = new byte[pieceSize];
    int length = source.body().read(buffer);
    if (length < 0) {
      int exitStatus = source.exitStatus();
      return () -> finish(exitStatus, "");
    }
    byte[] piece = length == pieceSize ? buffer : Arrays.copyOf(buffer, length);
    return () -> send(piece);
  }

  private void send(byte[] piece) {
    reading = false;
    if (!over) {
      sent++;
      writer.send(piece);
      next();
    }
  }

  private void finish(int exitStatus, String problem) {
    if (!over) {
      close();
      writer.end(exitStatus, problem);
    }
  }

  /** Waits beside the loop, and continues on the loop. */
  private void beside(String what, Callable<Runnable> work) {
    loop.beside(
        what,
        () -> {
          try {
            loop.post(work.call());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            loop.post(() -> finish(CANNOT_RUN, "interrupted"));
          } catch (Exception e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            loop.post(() -> finish(CANNOT_RUN, why));
          }
        });
  }

  /** Ends the work; nothing more is sent. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      if (answer != null) {
        end(answer);
      }
    }
  }

  private void end(Answer source) {
    loop.beside("end of an answer", source::close);
  }
}
