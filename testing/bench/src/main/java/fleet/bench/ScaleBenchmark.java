package fleet.bench;

import fleet.bench.figure.Figure;
import fleet.bench.figure.Report;
import fleet.bench.scale.BenchTransport;
import fleet.bench.scale.GrowthPlot;
import fleet.bench.scale.ScaleRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Hollow machines by the thousand, and smaller clusters, for the growth to be seen. */
final class ScaleBenchmark implements Benchmark {

  private static final int MACHINES = 5000;
  private static final int UNITS = 100_000;
  private static final String ALSO = "100,500,1000,2000";
  private static final String NONE = "none";

  /** Each machine speaks thrice in that: of thousands, a leader at rest hears little else. */
  private static final int TTL_SECONDS = 24;

  private static final Duration REST = Duration.ofSeconds(30);

  private static final Set<String> OPTIONS =
      Set.of("--machines", "--units", "--also", "--transport", "--ttl", "--svg");

  private final Path fleet;
  private final Size size;
  private final BenchTransport transport;
  private final Duration ttl;
  private final List<Integer> others;
  private final Optional<Path> svg;

  private record Size(int machines, int units) {

    /** As many units on each of so many machines. */
    Size of(int smaller) {
      return new Size(smaller, (int) ((long) units * smaller / machines));
    }
  }

  private ScaleBenchmark(
      Path fleet,
      Size size,
      BenchTransport transport,
      Duration ttl,
      List<Integer> others,
      Optional<Path> svg) {
    this.fleet = fleet;
    this.size = size;
    this.transport = transport;
    this.ttl = ttl;
    this.others = others;
    this.svg = svg;
  }

  /** As large as it is meant to be. */
  static ScaleBenchmark of(Path fleet) {
    return new ScaleBenchmark(
        fleet,
        new Size(MACHINES, UNITS),
        BenchTransport.PLAIN,
        Duration.ofSeconds(TTL_SECONDS),
        sizes(ALSO, MACHINES),
        Optional.empty());
  }

  private static List<Integer> sizes(String list, int below) {
    return list.equals(NONE)
        ? List.of()
        : Arrays.stream(list.split(",", -1))
            .map(Integer::valueOf)
            .filter(size -> size < below)
            .toList();
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String summary() {
    return "hollow machines: all units submitted, rest, losses"
        + " [--machines N] [--units M] [--also N,...|none] [--transport plain|tls|store] [--ttl SECONDS] [--svg FILE]";
  }

  @Override
  public Benchmark with(Map<String, String> options) {
    options.keySet().stream()
        .filter(name -> !OPTIONS.contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new IllegalArgumentException(name);
        });
    int machines = Integer.parseInt(options.getOrDefault("--machines", MACHINES + ""));
    return new ScaleBenchmark(
        fleet,
        new Size(machines, Integer.parseInt(options.getOrDefault("--units", UNITS + ""))),
        BenchTransport.valueOf(
            options.getOrDefault("--transport", "plain").toUpperCase(Locale.ROOT)),
        Duration.ofSeconds(Long.parseLong(options.getOrDefault("--ttl", TTL_SECONDS + ""))),
        sizes(options.getOrDefault("--also", ALSO), machines),
        Optional.ofNullable(options.get("--svg")).map(Path::of));
  }

  @Override
  public void run(Report report) {
    if (!Files.exists(fleet.resolve(".complete"))) {
      throw new AssertionError(fleet + " is not built: run ./dev dist");
    }
    SortedMap<Integer, List<Figure>> bySize = new TreeMap<>();
    bySize.put(size.machines(), run(size, "", report));
    for (int smaller : others) {
      bySize.put(smaller, run(size.of(smaller), "_at_" + smaller, report));
    }
    svg.ifPresent(file -> write(file, GrowthPlot.svg(bySize)));
  }

  /** Tells the figures with the suffix, and returns them without. */
  private List<Figure> run(Size of, String suffix, Report report) {
    List<Figure> own = new ArrayList<>();
    Consumer<Figure> told =
        figure -> {
          own.add(figure);
          report.add(figure.name() + suffix, figure.value(), figure.unit());
        };
    new ScaleRun(fleet, of.machines(), of.units(), transport, ttl, REST, told).run();
    return own;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
