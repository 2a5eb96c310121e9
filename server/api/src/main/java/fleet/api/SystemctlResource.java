package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.question.Answer;
import fleet.core.question.KillSignal;
import fleet.core.question.Question;
import fleet.core.question.UnitVerb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Orders to systemd of the machine that has a unit. An order is carried out once, and forgotten
 * then. The answer is what systemctl printed; its exit status follows, also if the machine could
 * not be asked: the head has gone by then, since an order may take its time.
 */
final class SystemctlResource {

  /** As systemctl has it when it cannot do what it was told. */
  private static final int FAILED = 1;

  void carryOut(Exchange exchange, String name, UnitVerb verb)
      throws IOException, InterruptedException {
    Optional<KillSignal> signal =
        verb == UnitVerb.KILL ? Optional.of(signal(exchange)) : Optional.empty();
    try (Answer answer =
            QuestionsResource.ask(
                exchange, name, unit -> new Question.Systemctl(unit, verb, signal));
        OpenStream out = new OpenStream(exchange, answer::close)) {
      signal.ifPresent(sent -> exchange.answer().because(sent + " to " + sent.whom()));
      exchange.answer().awaitOutcome();
      int status = FAILED;
      try {
        out.beginCommand(QuestionsResource.TEXT);
        status = outcome(answer, out);
      } finally {
        exchange.answer().hasOutcome(status == 0);
      }
      out.finish(status);
    }
  }

  private static KillSignal signal(Exchange exchange) {
    return RefusedException.ifInvalid(() ->
        new KillSignal(
            exchange.parameter("signal").orElse("TERM"), exchange.parameter("whom").orElse("all")));
  }

  private static int outcome(Answer answer, OpenStream out)
      throws IOException, InterruptedException {
    try {
      QuestionsResource.copy(answer.body(), out);
      return answer.exitStatus();
    } catch (IOException | UncheckedIOException e) {
      // The machine may also be too old to know the order, which it says here.
      out.expectWhole();
      byte[] why = (e.getMessage() + "\n").getBytes(UTF_8);
      out.write(why, why.length);
      return FAILED;
    }
  }
}
