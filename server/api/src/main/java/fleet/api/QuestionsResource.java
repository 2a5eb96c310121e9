package fleet.api;

import fleet.cluster.UnitView;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;

/** Answers about a unit from the machine that has it, passed on as they come. */
final class QuestionsResource {

  static final String TEXT = "text/plain; charset=utf-8";
  private static final int MAX_STATUS = 1 << 20;
  private static final int BUFFER = 8 << 10;
  private static final int DEFAULT_LINES = 10;

  /** The whole text of a status, since its exit status is sent first. */
  void status(Exchange exchange, String name) throws IOException, InterruptedException {
    boolean colour = exchange.flag("colour");
    try (Answer answer = ask(exchange, name, unit -> new Question.Status(unit, colour));
        InputStream body = answer.body()) {
      byte[] text = body.readNBytes(MAX_STATUS);
      exchange.header(
          OpenStream.EXIT_STATUS,
          Integer.toString(text.length < MAX_STATUS ? answer.exitStatus() : 0));
      exchange.reply(200, TEXT, text);
    }
  }

  void journal(Exchange exchange, String name) throws IOException, InterruptedException {
    int lines = exchange.parameter("lines").map(QuestionsResource::lines).orElse(DEFAULT_LINES);
    boolean follow = exchange.flag("follow");
    String output = exchange.parameter("output").orElse("short");
    try (Answer answer =
            ask(exchange, name, unit -> new Question.Journal(unit, lines, follow, output));
        OpenStream out = new OpenStream(exchange, answer::close)) {
      out.beginCommand(TEXT);
      copy(answer.body(), out);
      out.finish(answer.exitStatus());
    }
  }

  static void copy(InputStream from, OpenStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    for (int n = from.read(buffer); n >= 0 && !to.ended(); n = from.read(buffer)) {
      to.write(buffer, n);
    }
    to.expectWhole();
  }

  /** Asks the machine that has a unit, or the one that the request names. */
  static Answer ask(Exchange exchange, String name, Function<UnitName, Question> question) {
    UnitView view = UnitsResource.view(exchange, name);
    UnitName unit = view.unit().name();
    String machine =
        exchange.parameter("machine").or(view::machine).orElseThrow(() -> nowhere(view));
    Question asked = RefusedException.ifInvalid(() -> question.apply(unit));
    return exchange
        .cluster()
        .ask(machine, asked)
        .orElseThrow(() ->
            new RefusedException(
                404, "machine " + machine + " does not have " + unit + ", or cannot be reached"));
  }

  private static RefusedException nowhere(UnitView view) {
    UnitName unit = view.unit().name();
    if (view.global()) {
      return RefusedException.badRequest(
          unit + " is global: choose one of its machines with machine=<id>");
    }
    return new RefusedException(
        409, unit + " is on no machine" + (view.waiting().isEmpty() ? "" : ": " + view.waiting()));
  }

  static int lines(String text) {
    return Exchange.wholeNumberOf(text, 0)
        .orElseThrow(
            () -> RefusedException.badRequest("invalid lines \"" + text + "\": expected a number"));
  }
}
