package fleet.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/** Runs many seeds, one after the other, and says which of them fail: {@code ./dev simulate}. */
public final class Main {

  private static final Duration CHAOS = Duration.ofMinutes(3);

  private Main() {}

  /** Takes the first seed, and how many. */
  public static void main(String[] arguments) throws IOException {
    long first = Long.parseLong(arguments[0]);
    long count = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    int failed = 0;
    for (long seed = first; seed < first + count; seed++) {
      failed += passes(seed, System.out) ? 0 : 1;
    }
    System.out.println("%d of %d seeds failed".formatted(failed, count));
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean passes(long seed, PrintStream out) throws IOException {
    Path directory = Files.createTempDirectory("fleet-simulation");
    var run = new Run(seed, World.Settings.usual(directory), CHAOS);
    try {
      String checksum = run.live();
      out.println("seed %d: %s".formatted(seed, checksum));
      if (Boolean.getBoolean("fleet.trace")) {
        Path _ = Files.writeString(Path.of("seed-" + seed + ".trace"), run.trace());
      }
      return true;
    } catch (RuntimeException e) {
      Path trace = Files.writeString(Path.of("seed-" + seed + ".trace"), run.trace());
      out.println("seed %d: %s; its trace is in %s".formatted(seed, e.getMessage(), trace));
      return false;
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
