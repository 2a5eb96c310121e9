package fleet.coordination.store;

import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import java.time.Duration;

/**
 * The departure of a machine for good. Its calls wait for the store.
 *
 * @param machine as it describes itself
 */
record Departure(SharedRegistry registry, Machine machine, Duration ttl, MachineLease stay) {

  /**
   * Announces that the machine leaves, and deletes its record and reports from the store.
   *
   * @param emptied whether none of its units runs any more: then nobody need wait until it has
   *     stopped them
   * @throws RegistryException if the store does not answer
   */
  void carryOut(boolean emptied) {
    String key = Keys.machine(machine.id());
    Machine last = emptied ? machine.withIsolation(Isolation.KEEP) : machine;
    registry.commit(
        Transaction.when()
            .createdAt(key, stay.created())
            .put(key, new MachineRecord(last, ttl).asLeaving().json(), stay.lease())
            .build());
    carryOutUnsaid();
  }

  /**
   * Deletes the machine's record and reports from the store silently: it is present over another
   * transport, and a leader that does not see it there yet must wait for it.
   *
   * @throws RegistryException if the store does not answer
   */
  void carryOutUnsaid() {
    stay.lease().revoke();
  }
}
