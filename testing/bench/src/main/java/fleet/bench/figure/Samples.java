package fleet.bench.figure;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** Measurements of the same thing, at least one. Immutable. */
public final class Samples {

  private final double[] sorted;

  /** Copies measurements, in any order. */
  public Samples(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    this.sorted = values.clone();
    Arrays.sort(sorted);
  }

  /** Measurements that a function takes from results. */
  public static <T> Samples of(Collection<T> results, ToDoubleFunction<T> measured) {
    return new Samples(results.stream().mapToDouble(measured).toArray());
  }

  public int count() {
    return sorted.length;
  }

  /** The middle one, or the mean of the two in the middle. */
  public double median() {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The smallest one that is not below this share of all (nearest rank, nothing interpolated).
   *
   * @param percent above 0, up to 100
   */
  public double percentile(int percent) {
    if (percent <= 0 || percent > 100) {
      throw new IllegalArgumentException("not a percentile: " + percent);
    }
    return sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }
}
