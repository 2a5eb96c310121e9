package fleet.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A command run to its end, with its output captured.
 *
 * @param line program and arguments
 * @param stdin what it reads
 */
record Command(List<String> line, String stdin) {

  static Command of(String... line) {
    return new Command(List.of(line), "");
  }

  /**
   * Runs it.
   *
   * @throws AssertionError when it hangs; it has been killed then
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
    var stdout = new Output(process.getInputStream());
    var stderr = new Output(process.getErrorStream());
    try (var in = process.getOutputStream()) {
      in.write(stdin.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It did not want to read all of it: its exit code tells whether that matters.
    }
    try {
      if (!process.waitFor(Hangs.AFTER.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(unfinished("took too long", process, stdout, stderr));
      }
      return new Result(shown(), process.exitValue(), stdout.whole(), stderr.whole());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          unfinished("was running when the test ended", process, stdout, stderr), e);
    }
  }

  /** Tells a program that hangs from a host that is busy. */
  private String unfinished(String how, Process process, Output stdout, Output stderr)
      throws IOException {
    return "`%s` %s%n%s%n%s%nIts processes:%n%s%nThe host: load %s"
        .formatted(
            shown(),
            how,
            stdout,
            stderr,
            processes(process),
            Files.readString(Path.of("/proc/loadavg")));
  }

  private static String processes(Process process) {
    return process
        .descendants()
        .map(ProcessHandle::info)
        .map(info ->
            "  %s of CPU: %s"
                .formatted(
                    info.totalCpuDuration().map(Object::toString).orElse("?"),
                    info.commandLine().orElse("ended")))
        .collect(Collectors.joining("\n"));
  }

  private String shown() {
    return String.join(" ", line);
  }

  /** Takes what a program writes, as it writes it. */
  private static final class Output {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread reader;

    Output(InputStream stream) {
      reader =
          Thread.startVirtualThread(() -> {
            try (stream) {
              stream.transferTo(bytes);
            } catch (IOException e) {
              // The command was killed: what it wrote until then is the answer.
            }
          });
    }

    String whole() throws InterruptedException {
      reader.join();
      return toString();
    }

    @Override
    public String toString() {
      return bytes.toString(StandardCharsets.UTF_8).stripTrailing();
    }
  }
}
