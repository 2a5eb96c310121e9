package fleet.cluster;

import fleet.core.state.UnitState;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What machines report of all units, at one moment.
 *
 * @param reported sorted by unit, then machine
 * @param unreported how many units a machine has been given and says nothing of, be it that it is
 *     not there, or has not come to it yet; by the machine's id, without those that tell all
 */
public record States(List<UnitState> reported, SortedMap<String, Integer> unreported) {

  public States {
    reported = List.copyOf(reported);
    unreported = Collections.unmodifiableSortedMap(new TreeMap<>(unreported));
  }
}
