package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One etcd process on this machine, known by its id in a file, so that it outlives who began it.
 */
public final class EtcdMember {

  private final Path directory;
  private final List<String> command;
  private final URI client;
  private final URI metrics;
  private Optional<Process> own = Optional.empty();

  EtcdMember(Path directory, List<String> command, URI client, URI metrics) {
    this.directory = directory;
    this.command = command;
    this.client = client;
    this.metrics = metrics;
  }

  /** Where clients find it. */
  public URI client() {
    return client;
  }

  /** Starts it with the data it has; does not wait until it serves, which may need others. */
  public void start() {
    if (process().isPresent()) {
      return;
    }
    var line = new ArrayList<>(List.of("setsid"));
    line.addAll(command);
    try {
      Files.createDirectories(directory);
      Process process =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
      Files.writeString(pidFile(), process.pid() + "\n");
      own = Optional.of(process);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start etcd: " + e.getMessage(), e);
    }
  }

  /** Waits until it serves. */
  public void awaitServing() {
    long end = System.nanoTime() + Hangs.AFTER.toNanos();
    while (!EtcdMetrics.isHealthy(metrics)) {
      if (hasEnded() || System.nanoTime() > end) {
        throw new AssertionError("etcd does not serve: " + lastLines());
      }
      pause();
    }
  }

  private boolean hasEnded() {
    return own.map(process -> !process.isAlive()).orElseGet(() -> process().isEmpty());
  }

  /** It is gone at once; what it had acknowledged is on the disk. */
  public void kill() {
    process()
        .ifPresent(process -> {
          process.destroyForcibly();
          process.onExit().join();
        });
  }

  /** It stands still, with its connections open. */
  public void freeze() {
    Command.of(ProcessFreezer.command("" + pid())).run().orThrow();
  }

  /** Undoes {@link #freeze()}. */
  public void thaw() {
    Command.of("kill", "-CONT", "" + pid()).run().orThrow();
  }

  private long pid() {
    return process().orElseThrow(() -> new AssertionError("etcd does not run")).pid();
  }

  /** The counters of this member since it began. */
  public EtcdMetrics metrics() {
    return EtcdMetrics.read(metrics);
  }

  Path data() {
    return directory.resolve("data");
  }

  private Path log() {
    return directory.resolve("log");
  }

  private Path pidFile() {
    return directory.resolve("pid");
  }

  /** Ends what runs in a folder of members, whoever began it. */
  static void endAll(Path directory) {
    Command.of("sh", "-c", "cat '%s'/etcd*/*/pid 2>/dev/null".formatted(directory))
        .run()
        .stdout()
        .lines()
        .filter(pid -> pid.matches("\\d{1,9}"))
        .flatMap(pid -> running(Long.parseLong(pid.strip()), directory).stream())
        .forEach(process -> {
          process.destroyForcibly();
          process.onExit().join();
        });
  }

  private Optional<ProcessHandle> process() {
    try {
      return running(Long.parseLong(Files.readString(pidFile()).strip()), directory);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Process ids are used again: the one noted may be anybody's by now. */
  private static Optional<ProcessHandle> running(long pid, Path directory) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> {
          try {
            return commandLine(process).contains(directory.toString());
          } catch (IOException e) {
            return false;
          }
        });
  }

  /** It is empty for the moment in which a process becomes another program. */
  private static String commandLine(ProcessHandle process) throws IOException {
    Path file = Path.of("/proc/" + process.pid() + "/cmdline");
    String line = Files.readString(file);
    while (line.isEmpty() && process.isAlive()) {
      Thread.onSpinWait();
      line = Files.readString(file);
    }
    return line;
  }

  private String lastLines() {
    return Command.of("tail", "-n", "20", log().toString()).run().stdout();
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while etcd began", e);
    }
  }
}
