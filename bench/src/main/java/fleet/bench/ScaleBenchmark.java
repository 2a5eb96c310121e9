package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.scale.ScaleRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Hollow machines by the thousand, and smaller clusters, for the growth to be seen. */
final class ScaleBenchmark implements Benchmark {

  private static final int MACHINES = 5000;
  private static final int UNITS = 100_000;

  private final Path fleet;
  private final int machines;
  private final int units;
  private final boolean rpc;
  private final List<Integer> others;

  private ScaleBenchmark(Path fleet, int machines, int units, boolean rpc, List<Integer> others) {
    this.fleet = fleet;
    this.machines = machines;
    this.units = units;
    this.rpc = rpc;
    this.others = others;
  }

  /** As large as it is meant to be. */
  static ScaleBenchmark of(Path fleet) {
    return new ScaleBenchmark(fleet, MACHINES, UNITS, false, List.of());
  }

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public String summary() {
    return "hollow machines: all units submitted, rest, losses"
        + " [--machines N] [--units M] [--also N,...] [--way rpc|store]";
  }

  @Override
  public Benchmark with(Map<String, String> options) {
    options.keySet().stream()
        .filter(name -> !List.of("--machines", "--units", "--also", "--way").contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw new IllegalArgumentException(name);
        });
    return new ScaleBenchmark(
        fleet,
        Integer.parseInt(options.getOrDefault("--machines", MACHINES + "")),
        Integer.parseInt(options.getOrDefault("--units", UNITS + "")),
        options.getOrDefault("--way", "store").equals("rpc"),
        Stream.of(options.getOrDefault("--also", "").split(","))
            .filter(text -> !text.isEmpty())
            .map(Integer::valueOf)
            .toList());
  }

  @Override
  public void run(Report report) {
    if (!Files.exists(fleet.resolve(".complete"))) {
      throw new AssertionError(fleet + " is not built: run ./dev dist");
    }
    new ScaleRun(fleet, machines, units, rpc, "", report).run();
    for (int size : others) {
      int share = (int) ((long) units * size / machines);
      new ScaleRun(fleet, size, share, rpc, "_at_" + size, report).run();
    }
  }
}
