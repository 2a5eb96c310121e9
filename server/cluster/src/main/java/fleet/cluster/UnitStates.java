package fleet.cluster;

import fleet.core.state.UnitState;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reports of machines about all units, at one moment.
 *
 * @param reported sorted by unit, then machine
 * @param unreported how many of its units a machine reports nothing of, as it is absent, or has not
 *     come to them yet; by the machine's id, without those that report all
 */
public record UnitStates(List<UnitState> reported, SortedMap<String, Integer> unreported) {

  public UnitStates {
    reported = List.copyOf(reported);
    unreported = Collections.unmodifiableSortedMap(new TreeMap<>(unreported));
  }
}
