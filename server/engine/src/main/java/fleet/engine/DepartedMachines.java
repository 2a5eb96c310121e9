package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.core.machine.Machine;
import fleet.core.machine.Maintenance;
import fleet.engine.state.ClusterState;
import fleet.engine.state.StoredDepartures.StoredDeparture;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.DepartureRecord;
import fleet.registry.records.Keys;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's records of machines that are lost or have left, which keep them listed. The leader
 * keeps one of its own machine as well, so that the next leader can list that if it is lost.
 * Written when a machine goes or is back, when its time is over, and when another engine leads;
 * nothing at rest. A write that fails is tried again as long as it is needed. Owned by the state
 * thread.
 */
final class DepartedMachines {

  private static final Logger log = LoggerFactory.getLogger(DepartedMachines.class);

  /** The store takes some dozens of changes in one transaction. */
  private static final int TOGETHER = 30;

  /** Beyond that, the oldest records go. */
  private static final int MOST = 10_000;

  private static final Duration LONGEST_SLEEP = Duration.ofDays(1);

  /** A machine that somebody has removed goes long before. */
  private static final Duration REMOVED_KEPT = Duration.ofDays(1);

  private final LeaderWrites writes;
  private final Clock clock;
  private final EventLoop loop;
  private final ClusterState cluster;

  /** Descriptions of machines that are not there, and may come to be lost. */
  private final Map<String, Machine> known = new HashMap<>();

  /** The records that are not in the state yet. */
  private final SortedMap<String, DepartureRecord> fresh = new TreeMap<>();

  /** The machines that are back although somebody removed them: they were admitted once more. */
  private final Set<String> admitted = new HashSet<>();

  /** Keys with values that nobody can read: they are left alone. */
  private final Set<String> refused = new HashSet<>();

  private Optional<Duration> kept = Optional.empty();
  private Instant turn = Instant.EPOCH;
  private boolean looking;
  private boolean busy;
  private OptionalLong alarm = OptionalLong.empty();

  DepartedMachines(StateLoader loader, LeaderWrites writes, Clock clock) {
    this.writes = writes;
    this.clock = clock;
    this.loop = loader.loop();
    this.cluster = loader.state().cluster();
  }

  /**
   * The registry is loaded: some machines may be back, and the time of others over.
   *
   * @param inMaintenance absent machines, which may be lost when their windows end
   * @return whether {@link #giveUpUnseen} is to be called once machines had their time to come
   */
  boolean begin(Map<String, Maintenance> inMaintenance) {
    looking = true;
    inMaintenance.forEach((id, window) -> known.putIfAbsent(id, described(id, window)));
    for (StoredDeparture stored : cluster.departed().values()) {
      if (stored.record().leads() && !cluster.isThere(stored.id())) {
        known.putIfAbsent(stored.id(), stored.record().machine());
      }
    }
    return !known.isEmpty();
  }

  private static Machine described(String id, Maintenance window) {
    return new Machine(id, "", "", Map.of(), "").withHost(window.hostname(), "");
  }

  /**
   * Machines that went before this engine led, above all that of the leader before it.
   *
   * @param awaited those of which something else decides
   */
  void giveUpUnseen(Set<String> awaited) {
    for (String id : List.copyOf(known.keySet())) {
      if (!cluster.isThere(id) && !awaited.contains(id)) {
        gone(id, false);
      }
    }
  }

  /** A machine is not there any more; what becomes of it is open. */
  void went(Optional<Machine> machine) {
    machine.ifPresent(one -> known.put(one.id(), one));
  }

  /** Whether a machine has gone, and what becomes of it is open. */
  boolean isOpen(String id) {
    return known.containsKey(id);
  }

  /**
   * A machine is given up.
   *
   * @param left whether it said that it goes
   */
  void gone(String id, boolean left) {
    Optional<Machine> machine = Optional.ofNullable(known.remove(id));
    Instant now = clock.instant();
    fresh.put(
        id,
        machine
            .map(one -> new DepartureRecord(one, left, now))
            .orElseGet(() -> DepartureRecord.unknown(id, left, now)));
    looking = true;
  }

  /**
   * A machine is there.
   *
   * @param isNew whether it was not there before
   */
  void came(String id, boolean isNew) {
    known.remove(id);
    fresh.remove(id);
    StoredDeparture stored = cluster.departed().get(id);
    if (isNew && stored != null && stored.record().removed()) {
      admitted.add(id);
    }
    looking = true;
  }

  /** Whether nothing is to be written any more of a machine that has gone. */
  boolean isRecorded(String id) {
    return !fresh.containsKey(id) || isStored(id);
  }

  private boolean isStored(String id) {
    StoredDeparture stored = cluster.departed().get(id);
    return stored != null && !stored.record().leads();
  }

  /** Writes what is to change at the end of a turn. */
  void settle() {
    Optional<Duration> time = ClusterSettings.departedKept(cluster.config());
    looking |= !time.equals(kept);
    kept = time;
    if (!looking || busy) {
      return;
    }
    looking = false;
    turn = clock.instant();
    admitted.retainAll(cluster.departed().keySet());
    var transaction = writes.fenced();
    Optional<Machine> own = cluster.leadingMachine().flatMap(cluster.machines()::of);
    int changes = own.map(machine -> writeOwn(transaction, machine)).orElse(0);
    changes += deleteOld(transaction, own.map(Machine::id), TOGETHER - changes);
    changes += writeFresh(transaction, TOGETHER - changes);
    if (changes > 0) {
      write(transaction.build());
    } else {
      wakeUp();
    }
  }

  private int writeOwn(Transaction.Builder transaction, Machine machine) {
    StoredDeparture stored = cluster.departed().get(machine.id());
    DepartureRecord now = DepartureRecord.leading(machine, turn);
    if (stored == null ? refused.contains(machine.id()) : stored.record().saysAlready(now)) {
      return 0;
    }
    put(transaction, machine.id(), now);
    return 1;
  }

  private int deleteOld(Transaction.Builder transaction, Optional<String> own, int most) {
    Instant oldest = oldestKept();
    int changes = 0;
    for (StoredDeparture stored : cluster.departed().values()) {
      DepartureRecord record = stored.record();
      boolean done;
      if (own.equals(Optional.of(stored.id()))) {
        done = record.removed() && isDone(stored);
      } else if (record.leads()) {
        done = isNoLongerNeeded(stored.id());
      } else {
        done = isDone(stored) || record.since().isBefore(oldest);
      }
      if (done && changes < most) {
        transaction.unmodified(stored.entry()).delete(Keys.departed(stored.id()));
        changes++;
      }
    }
    return changes;
  }

  /** Whether a machine that led is back, or is not to be listed. */
  private boolean isNoLongerNeeded(String id) {
    DepartureRecord next = fresh.get(id);
    return cluster.isThere(id) || (next != null && isOver(next));
  }

  /** A machine that was removed may be about to go, and is not to be listed then. */
  private boolean isDone(StoredDeparture stored) {
    boolean stays = stored.record().removed() && !admitted.contains(stored.id());
    return (cluster.isThere(stored.id()) && !stays) || isOver(stored.record());
  }

  private Instant oldestKept() {
    int excess = cluster.departed().size() - MOST;
    return excess <= 0
        ? Instant.MIN
        : cluster.departed().values().stream()
            .map(stored -> stored.record().since())
            .sorted()
            .skip(excess)
            .findFirst()
            .orElse(Instant.MIN);
  }

  private int writeFresh(Transaction.Builder transaction, int most) {
    fresh.keySet().removeIf(id -> cluster.isThere(id) || isStored(id) || refused.contains(id));
    fresh
        .entrySet()
        .removeIf(one -> isOver(one.getValue()) && !cluster.departed().containsKey(one.getKey()));
    int changes = 0;
    for (Map.Entry<String, DepartureRecord> one : fresh.entrySet()) {
      if (changes < most && !isOver(one.getValue())) {
        put(transaction, one.getKey(), one.getValue());
        changes++;
      }
    }
    return changes;
  }

  private void put(Transaction.Builder transaction, String id, DepartureRecord record) {
    Optional<StoredDeparture> stored = Optional.ofNullable(cluster.departed().get(id));
    transaction
        .unchanged(Keys.departed(id), stored.map(StoredDeparture::entry))
        .put(Keys.departed(id), record.json());
  }

  /** A write comes back through the watch; until then nothing else is written. */
  private void write(Transaction transaction) {
    busy = true;
    writes.write(
        "engine-departed",
        transaction,
        outcome -> writes.later(() -> written(outcome)),
        e -> {
          log.warn("cannot write which machines are gone: {}", e.getMessage());
          writes.later(this::free);
        });
  }

  private void written(Outcome outcome) {
    if (outcome instanceof Outcome.Refused no && no.condition().key().startsWith(Keys.DEPARTED)) {
      String id = Keys.machineOf(no.condition().key());
      if (!cluster.departed().containsKey(id)) {
        refused.add(id);
      }
    }
    free();
  }

  private void free() {
    busy = false;
    looking = true;
  }

  /** Once nothing is left to be written, the next change is the end of somebody's time. */
  private void wakeUp() {
    cluster.departed().values().stream()
        .flatMap(stored -> left(stored.record()).stream())
        .min(Duration::compareTo)
        .ifPresent(left -> wakeAfter(left.compareTo(LONGEST_SLEEP) < 0 ? left : LONGEST_SLEEP));
  }

  private void wakeAfter(Duration left) {
    long at = loop.nanoTime() + left.toNanos();
    if (alarm.isEmpty() || at - alarm.getAsLong() < 0) {
      alarm = OptionalLong.of(at);
      loop.postAfter(
          left,
          () -> {
            alarm = OptionalLong.empty();
            looking = true;
          });
    }
  }

  private boolean isOver(DepartureRecord record) {
    return left(record).filter(left -> !left.isPositive()).isPresent();
  }

  /** How long a record stays; empty if its time does not end. */
  private Optional<Duration> left(DepartureRecord record) {
    if (record.leads()) {
      return Optional.empty();
    }
    Duration age = Duration.between(record.since(), turn);
    return (record.removed() ? Optional.of(REMOVED_KEPT) : kept).map(time -> time.minus(age));
  }
}
