package fleet.fleetctl.table;

import java.util.Comparator;
import java.util.function.Function;

/**
 * Orders of things by what they have. The orders that {@link Comparator} makes can be serialized,
 * which keeps their classes out of the AOT cache: the first one takes 12 ms at each start.
 */
public final class Comparators {

  private Comparators() {}

  /** By a text, as it is written. */
  public static <T> Comparator<T> by(Function<T, String> text) {
    return (left, right) -> text.apply(left).compareTo(text.apply(right));
  }

  /** By what has an order itself. */
  public static <T, K> Comparator<T> by(Function<T, K> key, Comparator<K> order) {
    return (left, right) -> order.compare(key.apply(left), key.apply(right));
  }
}
