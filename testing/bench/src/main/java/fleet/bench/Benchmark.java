package fleet.bench;

import fleet.bench.figure.Report;
import java.util.Map;

/** Something that is measured by its name. */
interface Benchmark {

  /** The name on the command line. */
  String name();

  /** The line in the list of benchmarks that tells what it measures. */
  String summary();

  /**
   * The same with what the command line says, by option.
   *
   * @throws IllegalArgumentException with the option that it does not know, or a number that is
   *     none
   */
  default Benchmark with(Map<String, String> options) {
    if (!options.isEmpty()) {
      throw new IllegalArgumentException(options.keySet().iterator().next());
    }
    return this;
  }

  /**
   * Measures, and tells the figures.
   *
   * @throws AssertionError if what was to be measured did not work
   */
  void run(Report report);
}
