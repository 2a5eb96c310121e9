package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Prometheus on this machine, which ends with the process that began it.
 *
 * @param process the running Prometheus
 * @param address where its API is
 * @param log what it writes
 */
public record Prometheus(Process process, String address, Path log) implements AutoCloseable {

  /** Where ./dev unpacks Debian's package, as an installed one would start on this machine. */
  private static final Path UNPACKED = DebianRoot.cache().resolve("prometheus/usr/bin");

  /**
   * Starts one.
   *
   * @param folder has its configuration {@code prometheus.yml}, and gets its data
   */
  public static Prometheus start(Path folder) {
    String address = "127.0.0.1:" + freePort();
    Path log = folder.resolve("log");
    try {
      Process process =
          new ProcessBuilder(
                  "setpriv",
                  "--pdeathsig=KILL",
                  program("prometheus"),
                  "--config.file=" + folder.resolve("prometheus.yml"),
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=" + address)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new Prometheus(process, address, log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start Prometheus: " + e.getMessage(), e);
    }
  }

  /** Runs its tool, which must succeed, and gives what that printed. */
  public static String promtool(String... arguments) {
    var line = new ArrayList<>(List.of(program("promtool")));
    line.addAll(List.of(arguments));
    return new Command(List.copyOf(line), "").run().orThrow().stdout();
  }

  private static String program(String name) {
    Path unpacked = UNPACKED.resolve(name);
    if (!Files.isExecutable(unpacked)) {
      throw new AssertionError(unpacked + " is missing: ./dev test fetches it");
    }
    return unpacked.toString();
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The answer of its API as JSON; empty while there is none.
   *
   * @throws AssertionError if it has ended, with its last words
   */
  public String get(String path) {
    if (!process.isAlive()) {
      throw new AssertionError("Prometheus ended:\n" + lastWords());
    }
    return Command.of(
            "curl",
            "--silent",
            "--fail",
            "--globoff",
            "--max-time",
            "20",
            "http://%s/api/v1/%s".formatted(address, path))
        .run()
        .stdout();
  }

  private String lastWords() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
