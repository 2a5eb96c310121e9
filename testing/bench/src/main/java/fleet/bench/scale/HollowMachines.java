package fleet.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.bench.node.ProcessUsage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The process of the hollow machines. */
final class HollowMachines implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long LEAST_MEGABYTES = 256;
  private static final long MEGABYTES_PER_THOUSAND = 768;

  private final int count;
  private final Path directory;
  private final Process process;
  private final BufferedReader answers;
  private final PrintStream commands;

  private HollowMachines(int count, Path directory, Process process) {
    this.count = count;
    this.directory = directory;
    this.process = process;
    this.answers = process.inputReader(UTF_8);
    this.commands = new PrintStream(process.getOutputStream(), true, UTF_8);
  }

  /**
   * Has their process ready, with all the memory that it will need: to be given its pages one by
   * one takes long on a virtual machine, and is none of fleet's time.
   *
   * @param transport how they reach the cluster: {@code etcd=URI,...}, or {@code
   *     join=HOST:PORT,...} with a {@code token=TOKEN} or in plain text
   */
  static HollowMachines prepare(int count, Duration ttl, List<String> transport) {
    long memory = LEAST_MEGABYTES + Math.ceilDiv(count * MEGABYTES_PER_THOUSAND, 1_000);
    try {
      Path directory =
          Files.isDirectory(MEMORY)
              ? Files.createTempDirectory(MEMORY, "fleet-hollow-")
              : Files.createTempDirectory("fleet-hollow-");
      List<String> command =
          new ArrayList<>(
              List.of(
                  "sh",
                  "-c",
                  // Each machine has a connection, and more while it looks for the leader.
                  "ulimit -n $(ulimit -Hn); exec \"$@\"",
                  "sh",
                  ProcessHandle.current().info().command().orElse("java"),
                  "-Xms%dm".formatted(memory),
                  "-Xmx%dm".formatted(memory),
                  "-Xmn%dm".formatted(memory * 3 / 8),
                  "-XX:+AlwaysPreTouch",
                  "-XX:+UseTransparentHugePages",
                  "-XX:+UseSerialGC",
                  // As fleetd: the second compiler would take as much as all these machines.
                  "-XX:TieredStopAtLevel=1",
                  "-Xss512k",
                  // Their files are in memory: no thread is to stand in for one that writes.
                  "-Djdk.virtualThreadScheduler.parallelism=2",
                  "-Djdk.virtualThreadScheduler.maxPoolSize=2",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "fleet.hollow.Main",
                  "machines=" + count,
                  "ttl=" + ttl.toSeconds(),
                  "directory=" + directory));
      command.addAll(transport);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      var machines = new HollowMachines(count, directory, process);
      machines.require("ready");
      return machines;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start hollow machines", e);
    }
  }

  /** Has all of them let into a cluster that asks who they are. */
  void enrol() {
    commands.println("enrol");
    require("enrolled " + count);
  }

  /** Gives all of them power; returns when all have begun to join. */
  void start() {
    commands.println("start");
    require("started " + count);
  }

  /** The power of this many fails; their connections stay open. */
  void lose(int count) {
    commands.println("lose " + count);
    require("lost " + count);
  }

  /** The resource usage of the process that plays all machines. */
  ProcessUsage usage() {
    return ProcessUsage.ofHost(process.pid());
  }

  private void require(String answer) {
    try {
      String line = answers.readLine();
      if (!answer.equals(line)) {
        throw new AssertionError("the hollow machines say '%s', not '%s'".formatted(line, answer));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
