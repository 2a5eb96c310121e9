package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.micro.Footprint;
import fleet.bench.micro.Placements;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Choosing machines in a cluster of 10,000 machines and 200,000 units, by JMH, on one core. */
final class SchedulerBenchmark implements Benchmark {

  private static final TimeValue ITERATION = TimeValue.seconds(2);
  private static final int PERCENTILE = 99;

  @Override
  public String name() {
    return "scheduler";
  }

  @Override
  public String summary() {
    return "choosing machines: 10,000 machines, 200,000 units, four fifths full";
  }

  @Override
  public void run(Report report) {
    for (String asking : List.of("plain", "mixed", "worst")) {
      RunResult rate = measure("place", asking, "least-loaded", Mode.Throughput);
      report.add("placements_" + asking, rate.getPrimaryResult().getScore(), "/s");
      report.add("placement_" + asking + "_p99", p99(asking), "us");
    }
    for (String strategy : List.of("spread", "binpack", "random")) {
      RunResult rate = measure("place", "mixed", strategy, Mode.Throughput);
      report.add("placements_mixed_" + strategy, rate.getPrimaryResult().getScore(), "/s");
    }
    RunResult reconcile = measure("reconcile", "mixed", "least-loaded", Mode.AverageTime);
    report.add("reconcile_idle", reconcile.getPrimaryResult().getScore() * 1000, "ms");
    Footprint footprint = Footprint.measure();
    report.add("memory_machine", footprint.bytesPerMachine(), "B");
    report.add("memory_unit", footprint.bytesPerUnit(), "B");
  }

  private static double p99(String asking) {
    Result<?> sampled =
        measure("place", asking, "least-loaded", Mode.SampleTime).getPrimaryResult();
    return sampled.getStatistics().getPercentile(PERCENTILE) * 1_000_000;
  }

  private static RunResult measure(String method, String asking, String strategy, Mode mode) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Placements.class.getName().replace(".", "\\.") + "\\." + method + "$")
            .param("asking", asking)
            .param("strategy", strategy)
            .mode(mode)
            .timeUnit(TimeUnit.SECONDS)
            .forks(1)
            .warmupIterations(3)
            .warmupTime(ITERATION)
            .measurementIterations(5)
            .measurementTime(ITERATION)
            .jvmArgs("-XX:+UseSerialGC", "-Xmx1g", "--sun-misc-unsafe-memory-access=allow")
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    try {
      Collection<RunResult> results = new Runner(options.build()).run();
      return results.iterator().next();
    } catch (RunnerException e) {
      throw new AssertionError("JMH: " + e.getMessage(), e);
    }
  }
}
