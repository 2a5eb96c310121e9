package fleet.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers of machines, units and states at one moment.
 *
 * @param machines that are present
 * @param states of units, on all machines, by systemd's active state; without those that no unit is
 *     in
 */
public record ClusterCounts(int machines, int units, SortedMap<String, Integer> states) {

  public ClusterCounts {
    states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
  }
}
