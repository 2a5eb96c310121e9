package fleet.fleetctl.command;

import fleet.fleetctl.output.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs commands in a directory and keeps what they wrote. */
final class Terminal {

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private boolean forPeople;

  /** A busy machine makes each wait long. */
  private Duration grace = Duration.ofHours(1);

  private Optional<String> typed = Optional.empty();
  private String input = "";
  private Runnable beforeAnswer = () -> {};

  /** The result of one command. */
  record Ran(int code, String out, String err) {}

  Terminal(Path directory, Path socket) {
    this.directory = directory;
    environment.put("FLEETCTL_ENDPOINT", "unix://" + socket);
    // On a busy machine nobody gives up on an answer, unless a test says so.
    environment.put("FLEETCTL_REQUEST_TIMEOUT", "1h");
  }

  Terminal with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** The progress of each wait is shown, however short it is. */
  Terminal showingProgress() {
    grace = Duration.ZERO;
    return this;
  }

  /** Standard output is a terminal. */
  Terminal forPeople() {
    forPeople = true;
    return this;
  }

  /** The same, of a size. */
  Terminal ofSize(int rows, int columns) {
    forPeople = true;
    return with("FLEETCTL_TERMINAL", rows + " " + columns);
  }

  /** A person sits there, who answers questions with this. */
  Terminal typing(String text) {
    typed = Optional.of(text);
    return this;
  }

  /** Standard input is a file or a pipe. */
  Terminal reading(String text) {
    input = text;
    return this;
  }

  /** Something happens while a question is open. */
  Terminal beforeAnswer(Runnable act) {
    beforeAnswer = act;
    return this;
  }

  private final class Typed extends FilterInputStream {
    Typed(InputStream keys) {
      super(keys);
    }

    @Override
    public int read() throws IOException {
      act();
      return super.read();
    }

    @Override
    public int read(byte[] keys, int from, int count) throws IOException {
      act();
      return super.read(keys, from, count);
    }

    private void act() {
      beforeAnswer.run();
      beforeAnswer = () -> {};
    }
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  Ran run(String... arguments) {
    return run(new ByteArrayOutputStream(), arguments);
  }

  /** The same, with an output that others may look at meanwhile. */
  Ran run(ByteArrayOutputStream out, String... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    CommandEnvironment session =
        new CommandEnvironment(
            new Output(out, err, forPeople, false, grace),
            typed.map(text -> new Typed(stream(text))),
            stream(input),
            environment,
            directory,
            directory.resolve("machine-id"));
    int code = new Fleetctl(session).run(List.of(arguments));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
