package fleet.scheduler;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The units on one machine. They are found by the hashes of their names, which lie side by side,
 * and are put in order when somebody wants them so: with as many machines as there are, to compare
 * names is to wait for memory, and most changes are followed by another before anybody asks.
 */
final class UnitsByName {

  private static final int FEW = 4;

  private int[] hashes = new int[FEW];
  private String[] names = new String[FEW];
  private Demand[] units = new Demand[FEW];
  private int count;

  /** So many are in order, and come first. */
  private int sorted;

  int count() {
    return count;
  }

  boolean has(String name) {
    return indexOf(name) >= 0;
  }

  @Nullable Demand get(String name) {
    int index = indexOf(name);
    return index < 0 ? null : units[index];
  }

  private int indexOf(String name) {
    int hash = name.hashCode();
    for (int i = 0; i < count; i++) {
      if (hashes[i] == hash && names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Puts a unit in, and returns that of its name that was here before. */
  @Nullable Demand put(Demand unit) {
    String name = unit.unit().value();
    int index = indexOf(name);
    if (index >= 0) {
      Demand before = units[index];
      set(index, name, unit);
      return before;
    }
    if (count == units.length) {
      widen();
    }
    set(count++, name, unit);
    return null;
  }

  private void widen() {
    int width = count + count / 2;
    hashes = Arrays.copyOf(hashes, width);
    names = Arrays.copyOf(names, width);
    units = Arrays.copyOf(units, width);
  }

  private void set(int index, String name, Demand unit) {
    hashes[index] = name.hashCode();
    names[index] = name;
    units[index] = unit;
  }

  @Nullable Demand remove(String name) {
    int index = indexOf(name);
    if (index < 0) {
      return null;
    }
    Demand before = units[index];
    count--;
    sorted = index < sorted ? sorted - 1 : sorted;
    move(index + 1, index, count - index);
    names[count] = null;
    units[count] = null;
    return before;
  }

  private void move(int from, int to, int number) {
    System.arraycopy(hashes, from, hashes, to, number);
    System.arraycopy(names, from, names, to, number);
    System.arraycopy(units, from, units, to, number);
  }

  void putAll(UnitsByName others) {
    others.inOrder().forEach(this::put);
  }

  // ---- in order

  /** All as they are now, sorted by name. */
  List<Demand> inOrder() {
    sort();
    return Collections.unmodifiableList(Arrays.asList(Arrays.copyOf(units, count)));
  }

  /** The names that begin like this, sorted; to be read before anything changes here. */
  List<String> beginning(String prefix) {
    sort();
    int from = firstNotBefore(prefix, count);
    int to = from;
    while (to < count && names[to].startsWith(prefix)) {
      to++;
    }
    return Collections.unmodifiableList(Arrays.asList(names).subList(from, to));
  }

  private void sort() {
    for (; sorted < count; sorted++) {
      int hash = hashes[sorted];
      String name = names[sorted];
      Demand unit = units[sorted];
      int index = firstNotBefore(name, sorted);
      move(index, index + 1, sorted - index);
      hashes[index] = hash;
      names[index] = name;
      units[index] = unit;
    }
  }

  /** Among the first of them, which are in order. */
  private int firstNotBefore(String name, int first) {
    int low = 0;
    int high = first;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (names[middle].compareTo(name) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
