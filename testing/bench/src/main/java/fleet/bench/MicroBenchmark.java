package fleet.bench;

import fleet.bench.figure.Report;
import fleet.bench.micro.Choices;
import fleet.bench.micro.SampleUnitFiles;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Code without I/O, measured by JMH: nanoseconds an operation once the code is compiled. */
final class MicroBenchmark implements Benchmark {

  private static final TimeValue ITERATION = TimeValue.milliseconds(500);

  @Override
  public String name() {
    return "micro";
  }

  @Override
  public String summary() {
    return "parts that do no I/O: reading and hashing a unit file, choosing a machine";
  }

  @Override
  public void run(Report report) {
    Options options =
        new OptionsBuilder()
            .include(all(SampleUnitFiles.class))
            .include(all(Choices.class))
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(2)
            .warmupIterations(4)
            .warmupTime(ITERATION)
            .measurementIterations(6)
            .measurementTime(ITERATION)
            // As fleetd runs, and not as ./dev does; the last is for JMH's own use of Unsafe.
            .jvmArgs("-XX:+UseSerialGC", "-Xmx48m", "--sun-misc-unsafe-memory-access=allow")
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    try {
      Collection<RunResult> results = new Runner(options).run();
      results.forEach(result -> tell(result, report));
    } catch (RunnerException e) {
      throw new AssertionError("JMH: " + e.getMessage(), e);
    }
  }

  private static String all(Class<?> benchmarks) {
    return "^" + benchmarks.getName().replace(".", "\\.") + "\\.";
  }

  private static void tell(RunResult result, Report report) {
    String name = "micro_" + snakeCase(result.getPrimaryResult().getLabel());
    List<String> parameters = List.copyOf(result.getParams().getParamsKeys());
    for (String parameter : parameters) {
      name += "_" + result.getParams().getParam(parameter) + "_" + parameter;
    }
    report.add(name, result.getPrimaryResult().getScore(), "ns");
  }

  static String snakeCase(String camelCase) {
    return camelCase.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
