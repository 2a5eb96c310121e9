package fleet.bench;

import fleet.bench.figure.Report;

/** Something that is measured by its name. */
interface Benchmark {

  /** What it is called on the command line. */
  String name();

  /** What it measures, for the list of benchmarks: one line. */
  String summary();

  /**
   * Measures, and tells the figures.
   *
   * @throws AssertionError where what was to be measured did not work
   */
  void run(Report report);
}
