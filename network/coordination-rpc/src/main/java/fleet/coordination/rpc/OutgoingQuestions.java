package fleet.coordination.rpc;

import fleet.coordination.EventLoop;
import fleet.coordination.IncomingAnswer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.rpc.message.QuestionMessages;
import fleet.rpc.v1.Ask;
import fleet.rpc.v1.CloseAnswer;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Piece;
import fleet.rpc.v1.PiecesTaken;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The questions that are put to one machine over its stream. Belongs to its loop. */
final class OutgoingQuestions {

  private final EventLoop loop;
  private final Supplier<String> machine;
  private final Consumer<FromLeader.Builder> out;
  private final Map<Long, IncomingAnswer> answers = new HashMap<>();
  private long last;

  /**
   * @param machine its id
   * @param out sends a message
   */
  OutgoingQuestions(EventLoop loop, Supplier<String> machine, Consumer<FromLeader.Builder> out) {
    this.loop = loop;
    this.machine = machine;
    this.out = out;
  }

  Answer ask(Question question) {
    long id = ++last;
    var answer =
        new IncomingAnswer(
            machine.get(),
            count -> loop.post(() -> taken(id, count)),
            () -> loop.post(() -> closed(id)));
    answers.put(id, answer);
    out.accept(
        FromLeader.newBuilder()
            .setAsk(Ask.newBuilder().setId(id).setQuestion(QuestionMessages.message(question))));
    return answer;
  }

  private void taken(long id, long count) {
    if (answers.containsKey(id)) {
      out.accept(
          FromLeader.newBuilder()
              .setPiecesTaken(PiecesTaken.newBuilder().setId(id).setCount(count)));
    }
  }

  private void closed(long id) {
    if (answers.remove(id) != null) {
      out.accept(FromLeader.newBuilder().setCloseAnswer(CloseAnswer.newBuilder().setId(id)));
    }
  }

  void heard(Piece piece) {
    IncomingAnswer answer = answers.get(piece.getId());
    if (answer == null) {
      return;
    }
    switch (piece.getContentCase()) {
      case DATA -> answer.arrived(piece.getData().toByteArray());
      case ENDED -> {
        answers.remove(piece.getId());
        answer.ended(piece.getEnded().getExitStatus(), piece.getEnded().getProblem());
      }
      case CONTENT_NOT_SET -> {}
    }
  }

  /** Nothing more can come. */
  void end() {
    answers
        .values()
        .forEach(answer ->
            answer.failBeforeTheEnd(
                "machine %s or its fleetd went away before its answer was complete"
                    .formatted(machine.get())));
    answers.clear();
  }
}
