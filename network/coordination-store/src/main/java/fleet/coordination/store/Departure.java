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
 * How a machine goes for good. Its calls wait for the store.
 *
 * @param machine as it describes itself
 */
record Departure(SharedRegistry registry, Machine machine, Duration ttl, MachineLease stay) {

  /**
   * Says that the machine goes, and takes it and all it said out of the store.
   *
   * @param emptied whether nothing of it runs any more: then its last word is also that nobody need
   *     wait for it to stop its units
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
   * Takes the machine and all it said out of the store without a word: it is there in another way,
   * and whoever does not see it there yet is to wait for it.
   *
   * @throws RegistryException if the store does not answer
   */
  void carryOutUnsaid() {
    stay.lease().revoke();
  }
}
