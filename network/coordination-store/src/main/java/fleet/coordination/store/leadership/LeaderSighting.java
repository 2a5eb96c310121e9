package fleet.coordination.store.leadership;

import fleet.core.machine.Machine;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leader's key as this engine last saw it, and its log messages. */
final class LeaderSighting {

  private static final Logger log = LoggerFactory.getLogger(LeaderSighting.class);

  private long revision = -1;
  private Optional<Entry> entry = Optional.empty();
  private Optional<LeaderRecord> record = Optional.empty();
  private Optional<Long> goneAt = Optional.empty();
  private Optional<Long> spokenToAt = Optional.empty();
  private Optional<Long> firstSeenAt = Optional.empty();

  /**
   * Takes over a state of the key, unless it is older than the last one.
   *
   * @param now in nanoseconds
   */
  void seen(Optional<Entry> found, long at, long now) {
    if (at <= revision) {
      return;
    }
    revision = at;
    firstSeenAt = firstSeenAt.or(() -> Optional.of(now));
    if (entry.isPresent() && found.isEmpty()) {
      goneAt = Optional.of(now);
      log.info("leadership: {} leads no more: the leader's key has gone", name());
    }
    if (isSpokenTo()) {
      spokenToAt = Optional.of(now);
    }
    Optional<Entry> before = entry;
    entry = found;
    record = found.flatMap(LeaderSighting::read);
    if (found.isPresent() && !found.map(Entry::created).equals(before.map(Entry::created))) {
      log.info("leadership: {} leads, token {}", name(), found.get().created());
    }
  }

  private static Optional<LeaderRecord> read(Entry found) {
    try {
      return Optional.of(LeaderRecord.of(found));
    } catch (RegistryException e) {
      log.error(
          "leadership: {}. {}",
          e.getMessage(),
          found.lease() == 0
              ? "No engine can lead while it is there: delete key %s of the registry (below etcd_key_prefix)"
                  .formatted(Keys.LEADER)
              : "It ends with its lease, if nobody renews that; or delete key %s of the registry (below etcd_key_prefix)"
                  .formatted(Keys.LEADER));
      return Optional.empty();
    }
  }

  private String name() {
    return record.map(known -> "machine " + known.machine()).orElse("somebody unknown");
  }

  /** Whether the key was looked for at all. */
  boolean looked() {
    return revision >= 0;
  }

  /** The store's revision at which the key stood like this. */
  long revision() {
    return revision;
  }

  Optional<Entry> entry() {
    return entry;
  }

  /** The record in the leader's key, if it can be read. */
  Optional<LeaderRecord> record() {
    return record;
  }

  /** Whether that machine leads, by this process or by an earlier one of the same boot. */
  boolean isOf(Machine machine) {
    return record
        .filter(leader ->
            leader.machine().equals(machine.id()) && leader.bootId().equals(machine.bootId()))
        .isPresent();
  }

  /** Whether an engine of an earlier version leads. */
  boolean isOlderThan(long version) {
    return record.filter(leader -> leader.engineVersion() < version).isPresent();
  }

  boolean hasToken(long token) {
    return entry.filter(leader -> leader.created() == token).isPresent();
  }

  /** Whether machines do not use RPC with the leader. */
  boolean isSilent() {
    return record.filter(leader -> !leader.rpc()).isPresent();
  }

  private boolean isSpokenTo() {
    return record.filter(LeaderRecord::rpc).isPresent();
  }

  /**
   * Whether machines may use RPC with the leader, or with one that led within a given time; the
   * time before the key was first read counts as unknown.
   */
  boolean maySpeakWithin(Duration time, long now) {
    return isSpokenTo()
        || Stream.of(spokenToAt, firstSeenAt)
            .flatMap(Optional::stream)
            .anyMatch(at -> now - at <= time.toNanos());
  }

  /** Whether an engine leads, or did within a given time. */
  boolean ledWithin(Duration time, long now) {
    return entry.isPresent() || wentWithin(time, now);
  }

  /** Whether an engine with another token leads, or did within a given time. */
  boolean ledByOtherWithin(long token, Duration time, long now) {
    return entry.filter(leader -> leader.created() != token).isPresent() || wentWithin(time, now);
  }

  private boolean wentWithin(Duration time, long now) {
    return goneAt.filter(at -> now - at <= time.toNanos()).isPresent();
  }
}
