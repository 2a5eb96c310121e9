package fleet.bench;

import fleet.bench.figure.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command line of {@code ./dev bench}. */
public final class Main {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final List<Benchmark> benchmarks;
  private final PrintStream out;
  private final PrintStream err;

  Main(List<Benchmark> benchmarks, PrintStream out, PrintStream err) {
    this.benchmarks = List.copyOf(benchmarks);
    this.out = out;
    this.err = err;
  }

  /** Runs one benchmark. */
  public static void main(String[] arguments) {
    Path root = Path.of(System.getProperty("fleet.root", "")).toAbsolutePath().normalize();
    Path fleet = root.resolve("target/fleet");
    List<Benchmark> benchmarks =
        List.of(
            new CliBenchmark(fleet, 25, 1_000),
            new UnitsBenchmark(fleet, 5, 300),
            new CrowdBenchmark(fleet, 2000),
            new DashboardBenchmark(fleet, 1_000),
            new ClusterBenchmark(fleet, 3, 1000),
            ScaleBenchmark.of(fleet),
            new StrangersBenchmark(fleet),
            new SchedulerBenchmark(),
            new MicroBenchmark());
    System.exit(new Main(benchmarks, System.out, System.err).run(List.of(arguments)));
  }

  /** Runs what the arguments say, and gives the exit code. */
  int run(List<String> arguments) {
    if (arguments.isEmpty()) {
      list(out);
      return 0;
    }
    Optional<Benchmark> benchmark =
        benchmarks.stream().filter(one -> one.name().equals(arguments.getFirst())).findFirst();
    if (benchmark.isEmpty()) {
      err.println("bench: there is no benchmark '" + arguments.getFirst() + "'");
      list(err);
      return MISUSED;
    }
    List<String> rest = arguments.subList(1, arguments.size());
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i + 1 < rest.size(); i += 2) {
      options.put(rest.get(i), rest.get(i + 1));
    }
    Optional<Path> json = Optional.ofNullable(options.remove("--json")).map(Path::of);
    if (rest.size() % 2 == 0) {
      try {
        return run(benchmark.get().with(options), json);
      } catch (IllegalArgumentException e) {
        // Told below, with what there is.
      }
    }
    err.println("bench: what is '" + String.join(" ", rest) + "'?");
    list(err);
    return MISUSED;
  }

  private int run(Benchmark benchmark, Optional<Path> json) {
    Report report = new Report(benchmark.name(), out::println);
    try {
      // Known before minutes of measuring, not after.
      if (json.isPresent()) {
        Files.writeString(json.get(), "");
      }
      benchmark.run(report);
      if (json.isPresent()) {
        Files.writeString(json.get(), report.json());
      }
      return 0;
    } catch (IOException e) {
      err.println("bench: cannot write " + json.orElseThrow() + ": " + e.getMessage());
    } catch (AssertionError | IllegalStateException e) {
      err.println("bench " + benchmark.name() + ": " + e.getMessage());
    }
    return FAILED;
  }

  private void list(PrintStream where) {
    where.println("Usage: ./dev bench NAME [--json FILE] [OPTION VALUE]...");
    benchmarks.forEach(one -> where.printf("  %-10s %s%n", one.name(), one.summary()));
  }
}
