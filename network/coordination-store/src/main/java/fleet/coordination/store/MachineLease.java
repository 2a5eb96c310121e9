package fleet.coordination.store;

import fleet.registry.Entry;
import fleet.registry.Lease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine's stay in the cluster, from the record that began it to the end of its lease.
 *
 * @param created revision that created the record: every write for the machine demands it, so that
 *     nothing is written once the lease has ended
 * @param states what the store has of the machine's reports already
 */
record MachineLease(Lease lease, long created, List<Entry> states) {
  MachineLease {
    states = List.copyOf(states);
  }

  /** Whether this is the given stay. */
  boolean is(@Nullable MachineLease other) {
    return other != null && created == other.created && lease.id() == other.lease.id();
  }
}
