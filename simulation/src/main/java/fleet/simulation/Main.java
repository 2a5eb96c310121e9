package fleet.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Runs many seeds, one after the other, and says which of them fail: {@code ./dev simulate}. */
public final class Main {

  private static final Duration CHAOS = Duration.ofMinutes(3);

  /** One seed of so many has more machines, so that some are left where others vanish together. */
  private static final int MORE_EACH = 5;

  private static final int FEW = 3;
  private static final int MANY = 7;

  private Main() {}

  /** Takes the first seed, how many, and in which ways of coordination; all where none is given. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length == 0 || !arguments[0].matches("\\d{1,18}")) {
      System.err.println("Usage: simulate FIRST_SEED [COUNT] [store|rpc|mixed]");
      System.exit(2);
    }
    long first = Long.parseLong(arguments[0]);
    long count = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    List<Coordination> ways =
        arguments.length > 2
            ? List.of(Coordination.valueOf(arguments[2].toUpperCase(Locale.ROOT)))
            : List.of(Coordination.values());
    int failed = 0;
    for (long seed = first; seed < first + count; seed++) {
      for (Coordination way : ways) {
        failed += passes(seed, way, System.out) ? 0 : 1;
      }
    }
    System.out.println("%d of %d runs failed".formatted(failed, count * ways.size()));
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean passes(long seed, Coordination way, PrintStream out) throws IOException {
    Path directory = Files.createTempDirectory("fleet-simulation");
    int machines = seed % MORE_EACH == 0 ? MANY : FEW;
    var run =
        new Run(
            seed,
            new World.Settings(
                machines, MachineSettings.USUAL.with(way).ofSeed(seed), directory, store -> store),
            CHAOS);
    String name = "seed-%d-%s.trace".formatted(seed, way.name().toLowerCase(Locale.ROOT));
    try {
      String checksum = run.live();
      out.println("seed %d %s: %s".formatted(seed, way, checksum));
      if (Boolean.getBoolean("fleet.trace")) {
        Path _ = Files.writeString(Path.of(name), run.trace());
      }
      return true;
    } catch (RuntimeException e) {
      Path trace = Files.writeString(Path.of(name), run.trace());
      out.println("seed %d %s: %s; its trace is in %s".formatted(seed, way, e.getMessage(), trace));
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
