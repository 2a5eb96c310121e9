package fleet.coordination.store;

import fleet.coordination.EventLoop;
import fleet.coordination.HeartbeatInterval;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of machines that use RPC, put in the place of another machine's record with the same id:
 * that machine loses its lease with all its reports, finds the marker, and waits or ends as it does
 * when both use the store. Belongs to its loop.
 */
final class DuplicateIdMarkers {

  private static final Logger log = LoggerFactory.getLogger(DuplicateIdMarkers.class);

  /** Ends by itself when the leader does. */
  private static final Duration TTL = Duration.ofSeconds(30);

  private final SharedRegistry registry;
  private final EventLoop loop;
  private final Map<String, LeaseRenewal> renewals = new HashMap<>();

  /** The machines whose markers are written or being written. */
  private final Map<String, Machine> wanted = new HashMap<>();

  private long token;

  DuplicateIdMarkers(SharedRegistry registry, EventLoop loop) {
    this.registry = registry;
    this.loop = loop;
  }

  void begin(long leader) {
    end();
    token = leader;
  }

  void end() {
    List.copyOf(wanted.keySet()).forEach(this::remove);
  }

  void put(Machine refused, Machine there) {
    long leader = token;
    wanted.put(there.id(), there);
    loop.beside(
        "standing in for a machine",
        () -> {
          try {
            replace(refused, there, leader).ifPresent(lease -> loop.post(() -> keep(there, lease)));
          } catch (RegistryException e) {
            log.warn(
                "coordination: machine {} at {} did not hear that its id is taken: {}",
                refused.id(),
                refused.publicIp(),
                e.getMessage());
          }
        });
  }

  private Optional<Lease> replace(Machine refused, Machine there, long leader) {
    Optional<Entry> found =
        registry.get(Keys.machine(refused.id())).filter(entry -> isOf(entry, refused));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Entry entry = found.get();
    Lease lease = registry.grant(TTL);
    String value = new MachineRecord(there, MachineRecord.of(entry).ttl()).asStandIn().json();
    Outcome outcome =
        registry.commit(
            Transaction.when()
                .unmodified(entry)
                .createdAt(Keys.LEADER, leader)
                .put(entry.key(), value, lease)
                .build());
    if (outcome instanceof Outcome.Refused) {
      lease.revoke();
      return Optional.empty();
    }
    if (entry.lease() != 0) {
      registry.lease(entry.lease(), TTL).revoke();
    }
    return Optional.of(lease);
  }

  private static boolean isOf(Entry entry, Machine machine) {
    return MachineRecord.of(entry).machine().bootId().equals(machine.bootId());
  }

  private void keep(Machine there, Lease lease) {
    if (!there.equals(wanted.get(there.id()))) {
      // It went while this was written.
      loop.beside("end of standing in", () -> LeaseRenewal.revoke(lease));
      return;
    }
    LeaseRenewal renewal =
        new LeaseRenewal(
            loop,
            "a record that stands in",
            lease,
            HeartbeatInterval.of(TTL),
            why -> log.debug("coordination: {}", why));
    end(renewals.put(there.id(), renewal));
  }

  void remove(String machine) {
    wanted.remove(machine);
    end(renewals.remove(machine));
  }

  private void end(@Nullable LeaseRenewal renewal) {
    if (renewal != null) {
      renewal.end();
    }
  }
}
