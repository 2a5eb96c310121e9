package fleet.coordination.rpc;

import com.google.protobuf.ByteString;
import fleet.coordination.AnswerSender;
import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.QuestionMessages;
import fleet.rpc.v1.Ask;
import fleet.rpc.v1.Piece;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The questions that came over one stream. Belongs to its loop. */
final class IncomingQuestions {

  /** How many pieces of an answer may be on their way that the reader has not taken. */
  private static final int MOST_AHEAD = 8;

  private static final int PIECE = 16 << 10;

  /** With more at once the machine would have little time for anything else. */
  private static final int MOST = 256;

  private final EventLoop loop;
  private final Answerer answerer;
  private final Consumer<Piece> out;
  private final BooleanSupplier free;
  private final Map<Long, AnswerSender> answers = new HashMap<>();

  IncomingQuestions(EventLoop loop, Answerer answerer, Consumer<Piece> out, BooleanSupplier free) {
    this.loop = loop;
    this.answerer = answerer;
    this.out = out;
    this.free = free;
  }

  void asked(Ask ask) {
    var pieces = new Pieces(ask.getId());
    if (answers.size() >= MOST) {
      pieces.end(AnswerSender.CANNOT_RUN, "too many questions at once");
      return;
    }
    try {
      answers.put(
          ask.getId(),
          new AnswerSender(
              loop,
              QuestionMessages.question(ask.getQuestion()),
              answerer,
              PIECE,
              MOST_AHEAD,
              pieces));
    } catch (MalformedMessageException e) {
      pieces.end(AnswerSender.CANNOT_RUN, String.valueOf(e.getMessage()));
    }
  }

  void taken(long id, long count) {
    AnswerSender answer = answers.get(id);
    if (answer != null) {
      answer.taken(count);
    }
  }

  void closed(long id) {
    AnswerSender answer = answers.remove(id);
    if (answer != null) {
      answer.close();
    }
  }

  /** The stream takes more. */
  void ready() {
    List.copyOf(answers.values()).forEach(AnswerSender::next);
  }

  /** Nobody hears the answers any more. */
  void end() {
    answers.values().forEach(AnswerSender::close);
    answers.clear();
  }

  private final class Pieces implements AnswerSender.PieceWriter {
    private final long id;

    Pieces(long id) {
      this.id = id;
    }

    @Override
    public boolean isReady() {
      return free.getAsBoolean();
    }

    @Override
    public void send(byte[] piece) {
      out.accept(Piece.newBuilder().setId(id).setData(ByteString.copyFrom(piece)).build());
    }

    @Override
    public void end(int exitStatus, String problem) {
      answers.remove(id);
      out.accept(
          Piece.newBuilder()
              .setId(id)
              .setEnded(Piece.Ended.newBuilder().setExitStatus(exitStatus).setProblem(problem))
              .build());
    }
  }
}
