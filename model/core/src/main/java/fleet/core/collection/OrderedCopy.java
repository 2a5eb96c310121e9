package fleet.core.collection;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Immutable copies that keep the order of what was copied. {@link Set#copyOf} and {@link
 * Map#copyOf} iterate in a random order for each JVM, so that a simulation could not be repeated.
 */
public final class OrderedCopy {

  private OrderedCopy() {}

  /** An immutable set of the same elements, in the order in which they come first. */
  public static <T> Set<T> of(Collection<? extends T> elements) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(elements));
  }

  /** An immutable map of the same entries, in the same order. */
  public static <K, V> Map<K, V> of(Map<? extends K, ? extends V> entries) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }
}
