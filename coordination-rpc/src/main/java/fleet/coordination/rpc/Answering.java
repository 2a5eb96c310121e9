package fleet.coordination.rpc;

import com.google.protobuf.ByteString;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.rpc.v1.Piece;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One question being answered: pieces go out as fast as the reader takes them and the line is free.
 * Belongs to its loop; what waits for the answer does so beside it.
 */
final class Answering implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Answering.class);

  /** How many pieces may be on their way that the reader has not taken. */
  private static final int MOST_OUTSTANDING = 8;

  private static final int PIECE = 16 << 10;
  private static final int CANNOT_RUN = 127;

  private final EventLoop loop;
  private final long id;
  private final Consumer<Piece> out;
  private final BooleanSupplier free;
  private final Runnable onEnd;
  private long sent;
  private long taken;
  private boolean working;
  private boolean over;
  private @Nullable Answer answer;

  /**
   * Begins to answer.
   *
   * @param out sends a piece
   * @param free whether the line takes more; {@link #next} when it does again
   * @param onEnd run once the last piece is sent
   */
  Answering(
      EventLoop loop,
      long id,
      Question question,
      Answerer answerer,
      Consumer<Piece> out,
      BooleanSupplier free,
      Runnable onEnd) {
    this.loop = loop;
    this.id = id;
    this.out = out;
    this.free = free;
    this.onEnd = onEnd;
    log.debug("coordination: answering {}", question);
    beside("answering", () -> answerer.answer(question), this::begun);
  }

  private void begun(Answer source) {
    answer = source;
    if (over) {
      end(source);
    } else {
      next();
    }
  }

  /** The reader has taken so many pieces in all. */
  void taken(long count) {
    taken = Math.max(taken, count);
    next();
  }

  /** Goes on where it can. */
  void next() {
    Answer source = answer;
    if (source == null
        || working
        || over
        || sent - taken >= MOST_OUTSTANDING
        || !free.getAsBoolean()) {
      return;
    }
    working = true;
    beside("answer", () -> read(source), this::send);
  }

  private Piece read(Answer source) throws IOException, InterruptedException {
    byte[] buffer = new byte[PIECE];
    int length = source.body().read(buffer);
    return length < 0
        ? ended(source.exitStatus(), "")
        : Piece.newBuilder().setId(id).setData(ByteString.copyFrom(buffer, 0, length)).build();
  }

  private Piece ended(int exitStatus, String problem) {
    return Piece.newBuilder()
        .setId(id)
        .setEnded(Piece.Ended.newBuilder().setExitStatus(exitStatus).setProblem(problem))
        .build();
  }

  private void send(Piece piece) {
    working = false;
    if (over) {
      return;
    }
    out.accept(piece);
    sent++;
    if (piece.hasEnded()) {
      close();
      onEnd.run();
    } else {
      next();
    }
  }

  private <T> void beside(String what, Callable<T> work, Consumer<T> then) {
    loop.beside(
        what,
        () -> {
          try {
            T result = work.call();
            loop.post(() -> then.accept(result));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            loop.post(() -> failed("interrupted"));
          } catch (Exception e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            loop.post(() -> failed(why));
          }
        });
  }

  private void failed(String why) {
    send(ended(CANNOT_RUN, why));
  }

  /** Ends the work; nothing more is sent. */
  @Override
  public void close() {
    if (!over) {
      over = true;
      Answer source = answer;
      if (source != null) {
        end(source);
      }
    }
  }

  private void end(Answer source) {
    loop.beside("end of an answer", source::close);
  }
}
