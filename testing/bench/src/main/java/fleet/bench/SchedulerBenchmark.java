package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.micro.Footprint;
import fleet.bench.micro.Placements;
import fleet.bench.micro.Population;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
  private static final double MILLIS = 1e3;
  private static final double MICROS = 1e6;

  /** In clusters as small as fleet 1.0 was made for, to compare the cost of a change with. */
  private static final int FEW_MACHINES = 50;

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
      var placing = Measured.of("place").asking(asking);
      report.add("placements_" + asking, placing.perSecond(), "/s");
      report.add("placement_" + asking + "_p99", placing.p99() * MICROS, "us");
    }
    for (String strategy : List.of("spread", "binpack", "random")) {
      double rate = Measured.of("place").by(strategy).perSecond();
      report.add("placements_mixed_" + strategy, rate, "/s");
    }
    for (int machines : List.of(FEW_MACHINES, Population.MACHINES)) {
      int units = machines * Population.UNITS_PER_MACHINE;
      report.add(
          "change_unit_" + units, Measured.of("place").in(machines).seconds() * MICROS, "us");
      report.add(
          "change_machine_" + units, Measured.of("describe").in(machines).seconds() * MICROS, "us");
    }
    report.add("reconcile_idle", Measured.of("reconcile").seconds() * MILLIS, "ms");
    report.add("reconcile_anew", Measured.of("reconcileAnew").seconds() * MILLIS, "ms");
    Footprint footprint = Footprint.measure();
    report.add("memory_machine", footprint.bytesPerMachine(), "B");
    report.add("memory_unit", footprint.bytesPerUnit(), "B");
  }

  /** One benchmark with what it is given. */
  private record Measured(String method, String asking, String strategy, int machines) {

    static Measured of(String method) {
      return new Measured(method, "mixed", "least-loaded", Population.MACHINES);
    }

    Measured asking(String what) {
      return new Measured(method, what, strategy, machines);
    }

    Measured by(String which) {
      return new Measured(method, asking, which, machines);
    }

    Measured in(int size) {
      return new Measured(method, asking, strategy, size);
    }

    double perSecond() {
      return run(Mode.Throughput).getScore();
    }

    double seconds() {
      return run(Mode.AverageTime).getScore();
    }

    /** In seconds. */
    double p99() {
      return run(Mode.SampleTime).getStatistics().getPercentile(PERCENTILE);
    }

    private Result<?> run(Mode mode) {
      String benchmark = Placements.class.getName() + "." + method;
      ChainedOptionsBuilder options =
          new OptionsBuilder()
              .include("^" + Pattern.quote(benchmark) + "$")
              .param("asking", asking)
              .param("strategy", strategy)
              .param("machines", String.valueOf(machines))
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
        return results.iterator().next().getPrimaryResult();
      } catch (RunnerException e) {
        throw new AssertionError("JMH: " + e.getMessage(), e);
      }
    }
  }
}
