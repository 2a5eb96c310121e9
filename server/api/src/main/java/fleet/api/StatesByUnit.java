package fleet.api;

import fleet.cluster.UnitView;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Finds the states of units by going through both lists at once. An index of as many states would
 * cost more than all that is done with it, most of it for the collection of garbage.
 *
 * @param sorted by unit
 */
record StatesByUnit(List<UnitState> sorted) {

  StatesByUnit {
    sorted = List.copyOf(sorted);
  }

  /**
   * Calls back for each unit with its states on all machines.
   *
   * @param units sorted by name
   */
  void forEach(List<UnitView> units, BiConsumer<UnitView, List<UnitState>> each) {
    int from = units.isEmpty() ? 0 : first(units.getFirst().unit().name());
    for (UnitView view : units) {
      UnitName unit = view.unit().name();
      while (from < sorted.size() && isBefore(sorted.get(from).unit(), unit)) {
        from++;
      }
      int to = from;
      while (to < sorted.size() && sorted.get(to).unit().equals(unit)) {
        to++;
      }
      each.accept(view, sorted.subList(from, to));
      from = to;
    }
  }

  /** Most are equal, which is seen much faster than the order. */
  private static boolean isBefore(UnitName one, UnitName other) {
    return !one.equals(other) && one.compareTo(other) < 0;
  }

  /** The place of the first state of a unit or a later one. */
  private int first(UnitName unit) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).unit().compareTo(unit) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
