package fleet.coordination.store;

import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.MachineRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers a machine in the cluster, on the lease of an earlier fleetd of this boot or on a new
 * one. Its calls wait for the store.
 */
final class RegistrationWriter {

  private static final Logger log = LoggerFactory.getLogger(RegistrationWriter.class);

  private final SharedRegistry registry;
  private final Duration ttl;
  private final Supplier<Optional<String>> objection;
  private final LongSupplier nanoTime;

  /**
   * @param objection why this process may not speak for its machine; empty if it may
   */
  RegistrationWriter(
      SharedRegistry registry,
      Duration ttl,
      Supplier<Optional<String>> objection,
      LongSupplier nanoTime) {
    this.registry = registry;
    this.ttl = ttl;
    this.objection = objection;
    this.nanoTime = nanoTime;
  }

  /** The outcome of an attempt. */
  sealed interface Result {

    /**
     * The machine is there.
     *
     * @param machine as it was written
     * @param sent when the store was asked for the lease, in nanoseconds of the loop
     */
    record Joined(MachineLease membership, Machine machine, long sent) implements Result {}

    /**
     * Another machine with this id is present, or this one from before its boot.
     *
     * @param other its record, if that can be read
     */
    record Occupied(Entry entry, Optional<MachineRecord> other) implements Result {}

    /** This process may not speak for the machine. */
    record Refused(String why) implements Result {}

    /** A concurrent write was faster, or the old lease has just ended. */
    record Again() implements Result {}
  }

  /**
   * @throws RegistryException if the store does not answer; the machine may have joined
   */
  Result attempt(Machine machine) {
    Optional<String> why = objection.get();
    if (why.isPresent()) {
      return new Result.Refused(why.get());
    }
    Optional<Entry> found = registry.get(Keys.machine(machine.id()));
    if (found.isEmpty()) {
      return enter(machine, Optional.empty());
    }
    Entry entry = found.get();
    Optional<MachineRecord> record = readable(entry);
    if (entry.lease() == 0) {
      log.warn("coordination: {} is on no lease, and is written again", entry.key());
      return enter(machine, found);
    }
    if (record.filter(it -> it.machine().bootId().equals(machine.bootId())).isEmpty()) {
      return new Result.Occupied(entry, record);
    }
    // The leader's lease ends once the machine is silent there.
    boolean onItsLease = record.get().ttl().equals(ttl) && !record.get().standIn();
    return onItsLease ? takeOver(machine, entry) : enter(machine, found);
  }

  private static Optional<MachineRecord> readable(Entry entry) {
    try {
      return Optional.of(MachineRecord.of(entry));
    } catch (RegistryException e) {
      log.warn("coordination: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Result enter(Machine machine, Optional<Entry> replaced) {
    String key = Keys.machine(machine.id());
    long sent = nanoTime.getAsLong();
    Lease lease = registry.grant(ttl);
    Transaction.Builder write =
        Transaction.when()
            .unchanged(key, replaced)
            .put(key, new MachineRecord(machine, ttl).json(), lease);
    return switch (registry.commit(write.build())) {
      case Outcome.Refused _ -> {
        lease.revoke();
        yield new Result.Again();
      }
      case Outcome.Committed committed ->
          joined(machine, lease, replaced.map(Entry::created).orElse(committed.revision()), sent);
    };
  }

  private Result takeOver(Machine machine, Entry entry) {
    long sent = nanoTime.getAsLong();
    Lease lease = registry.lease(entry.lease(), ttl);
    if (!lease.renew()) {
      return new Result.Again();
    }
    String value = new MachineRecord(machine, ttl).json();
    if (!value.equals(entry.value())) {
      Outcome outcome =
          registry.commit(
              Transaction.when().unmodified(entry).put(entry.key(), value, lease).build());
      if (outcome instanceof Outcome.Refused) {
        return new Result.Again();
      }
    }
    return joined(machine, lease, entry.created(), sent);
  }

  private Result joined(Machine machine, Lease lease, long created, long sent) {
    return new Result.Joined(
        new MachineLease(lease, created, registry.read(Keys.states(machine.id())).entries()),
        machine,
        sent);
  }
}
