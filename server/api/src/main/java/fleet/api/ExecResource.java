package fleet.api;

import static java.util.stream.Collectors.joining;

import fleet.core.question.Answer;
import fleet.core.question.ExecTerminal;
import fleet.core.question.Question;
import fleet.core.question.TerminalWindow;
import fleet.entities.ExecEntity;
import fleet.entities.ExecInputEntity;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Commands that people run on machines. The answer of the first request is what the command writes;
 * input follows in requests of its own, as every way to the machine takes requests.
 */
final class ExecResource {

  /** The name of the session, by which input follows. */
  static final String SESSION = "Fleet-Exec-Session";

  private static final String FRAMES = "application/vnd.fleet.exec";
  private static final int BUFFER = 16 << 10;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%+=:,./_-]+");

  /** In the audit log. */
  private static final String BROKE_OFF = "stopped, as fleetctl or a connection went away,";

  /** Runs a command; the answer ends with it. */
  void run(Exchange exchange, String machine) throws IOException, InterruptedException {
    ExecEntity asked = exchange.json(ExecEntity.class);
    String session = UUID.randomUUID().toString();
    Question.Exec exec =
        RefusedException.ifInvalid(
            () -> new Question.Exec(session, asked.command(), terminal(asked)));
    exchange.answer().because(commandLine(asked.command()));
    try (Answer answer = ask(exchange, machine, exec)) {
      byte[] first = first(answer.body());
      exchange.header(SESSION, session);
      long begun = System.nanoTime();
      String end = BROKE_OFF;
      try {
        end = "exit status " + copy(exchange, answer, first);
      } finally {
        exchange.answer().ended(end + lasted(Duration.ofNanos(System.nanoTime() - begun)));
      }
    }
  }

  /** As a shell would read it, so that one sees where each word ends. */
  private static String commandLine(List<String> words) {
    return words.stream().map(ExecResource::quoted).collect(joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static int copy(Exchange exchange, Answer answer, byte[] first)
      throws IOException, InterruptedException {
    try (OpenStream out = new OpenStream(exchange, answer::close)) {
      out.beginCommand(FRAMES);
      out.write(first, first.length);
      QuestionsResource.copy(answer.body(), out);
      int status = answer.exitStatus();
      out.finish(status);
      return status;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static String lasted(Duration time) {
    return " after %d.%03d s".formatted(time.toSeconds(), time.toMillisPart());
  }

  private static Optional<ExecTerminal> terminal(ExecEntity asked) {
    return Optional.ofNullable(asked.terminal())
        .map(terminal ->
            new ExecTerminal(
                terminal.type(), new TerminalWindow(terminal.rows(), terminal.columns())));
  }

  /** Takes input for a command, or the size of its terminal. */
  void input(Exchange exchange, String machine) throws IOException, InterruptedException {
    String session = exchange.parameter("session").orElse("");
    Question question =
        exchange.parameter("rows").isPresent()
            ? RefusedException.ifInvalid(() -> new Question.ExecWindow(session, window(exchange)))
            : piece(exchange, session);
    try (Answer answer = ask(exchange, machine, question)) {
      String told = new String(first(answer.body()), StandardCharsets.US_ASCII);
      if (question instanceof Question.ExecWindow) {
        exchange.reply(204);
      } else {
        exchange.reply(new ExecInputEntity(number(told)));
      }
    }
  }

  private static TerminalWindow window(Exchange exchange) {
    return new TerminalWindow(exchange.wholeNumber("rows", 1), exchange.wholeNumber("columns", 1));
  }

  private static Question.ExecInput piece(Exchange exchange, String session) throws IOException {
    byte[] data = exchange.body();
    long offset = number(exchange.parameter("offset").orElse("0"));
    boolean last = exchange.flag("last");
    return RefusedException.ifInvalid(() -> new Question.ExecInput(session, offset, data, last));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw RefusedException.badRequest("invalid offset \"" + text + "\": expected a number");
    }
  }

  private static Answer ask(Exchange exchange, String machine, Question question) {
    return exchange
        .cluster()
        .ask(machine, question)
        .orElseThrow(() ->
            new RefusedException(
                404, "there is no machine %s, or it cannot be reached".formatted(machine)));
  }

  /** The beginning of an answer. A machine that cannot do what it is asked says so here. */
  private static byte[] first(InputStream body) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try {
      return Arrays.copyOf(buffer, Math.max(0, body.read(buffer)));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw new RefusedException(409, String.valueOf(e.getMessage()));
    }
  }
}
