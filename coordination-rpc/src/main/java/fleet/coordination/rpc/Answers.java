package fleet.coordination.rpc;

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
final class Answers {

  private static final int CANNOT_RUN = 127;

  /** With more at once the machine would have little time for anything else. */
  private static final int MOST = 256;

  private final EventLoop loop;
  private final Answerer answerer;
  private final Consumer<Piece> out;
  private final BooleanSupplier free;
  private final Map<Long, Answering> answers = new HashMap<>();

  Answers(EventLoop loop, Answerer answerer, Consumer<Piece> out, BooleanSupplier free) {
    this.loop = loop;
    this.answerer = answerer;
    this.out = out;
    this.free = free;
  }

  void asked(Ask ask) {
    long id = ask.getId();
    if (answers.size() >= MOST) {
      refuse(id, "too many questions at once");
      return;
    }
    try {
      answers.put(
          id,
          new Answering(
              loop,
              id,
              QuestionMessages.question(ask.getQuestion()),
              answerer,
              out,
              free,
              () -> answers.remove(id)));
    } catch (MalformedMessageException e) {
      refuse(id, String.valueOf(e.getMessage()));
    }
  }

  private void refuse(long id, String why) {
    out.accept(
        Piece.newBuilder()
            .setId(id)
            .setEnded(Piece.Ended.newBuilder().setExitStatus(CANNOT_RUN).setProblem(why))
            .build());
  }

  void taken(long id, long count) {
    Answering answering = answers.get(id);
    if (answering != null) {
      answering.taken(count);
    }
  }

  void closed(long id) {
    Answering answering = answers.remove(id);
    if (answering != null) {
      answering.close();
    }
  }

  /** The line takes more. */
  void ready() {
    List.copyOf(answers.values()).forEach(Answering::next);
  }

  /** Nobody hears the answers any more. */
  void end() {
    answers.values().forEach(Answering::close);
    answers.clear();
  }
}
