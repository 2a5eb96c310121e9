package fleet.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A command run to its end, with its output captured and a bound on its time.
 *
 * @param line program and arguments
 * @param stdin what it reads
 * @param bound how long it may take
 */
record Command(List<String> line, String stdin, Duration bound) {

  static final Duration BOUND = Duration.ofSeconds(60);

  static Command of(String... line) {
    return new Command(List.of(line), "", BOUND);
  }

  /**
   * Runs it.
   *
   * @throws AssertionError when it takes longer than its bound; it has been killed then
   */
  Result run() {
    try {
      Process process = new ProcessBuilder(line).start();
      try {
        return await(process);
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + line.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private Result await(Process process) throws IOException {
    CompletableFuture<String> stdout = drained(process.getInputStream());
    CompletableFuture<String> stderr = drained(process.getErrorStream());
    try (var in = process.getOutputStream()) {
      in.write(stdin.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It did not want to read all of it: its exit code tells whether that matters.
    }
    try {
      if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            "`%s` took longer than %s%n%s%n%s"
                .formatted(shown(), bound, stdout.getNow(""), stderr.getNow("")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while `" + shown() + "` ran", e);
    }
    return new Result(shown(), process.exitValue(), stdout.join(), stderr.join());
  }

  private String shown() {
    return String.join(" ", line);
  }

  private static CompletableFuture<String> drained(InputStream stream) {
    var text = new CompletableFuture<String>();
    Thread.startVirtualThread(() -> {
      var bytes = new ByteArrayOutputStream();
      try (stream) {
        stream.transferTo(bytes);
      } catch (IOException e) {
        // The command was killed: what it wrote until then is the answer.
      }
      text.complete(bytes.toString(StandardCharsets.UTF_8).stripTrailing());
    });
    return text;
  }
}
