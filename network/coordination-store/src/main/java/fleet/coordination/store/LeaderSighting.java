package fleet.coordination.store;

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

/** The leader's key as this engine last saw it, and what people should know of it. */
final class LeaderSighting {

  private static final Logger log = LoggerFactory.getLogger(LeaderSighting.class);

  private long revision = -1;
  private Optional<Entry> entry = Optional.empty();
  private Optional<LeaderRecord> record = Optional.empty();
  private Optional<Long> goneAt = Optional.empty();
  private Optional<Long> spokenToAt = Optional.empty();
  private Optional<Long> firstSeenAt = Optional.empty();

  /**
   * Takes in how the key stands; what is older than what was seen is dropped.
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
              : "It goes with its lease, unless somebody renews that; to end it, delete key %s of the registry (below etcd_key_prefix)"
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

  /** Whether machines do not speak to whoever leads. */
  boolean isSilent() {
    return record.filter(leader -> !leader.rpc()).isPresent();
  }

  private boolean isSpokenTo() {
    return record.filter(LeaderRecord::rpc).isPresent();
  }

  /**
   * Whether machines may speak to whoever leads, or may have spoken to one who led until no longer
   * ago than that: nobody can tell of the time before the key was first looked at.
   */
  boolean maySpeakWithin(Duration time, long now) {
    return isSpokenTo()
        || Stream.of(spokenToAt, firstSeenAt)
            .flatMap(Optional::stream)
            .anyMatch(at -> now - at <= time.toNanos());
  }

  /** Whether somebody leads, or did until no longer ago than that. */
  boolean ledWithin(Duration time, long now) {
    return entry.isPresent() || wentWithin(time, now);
  }

  /** Whether somebody else than who has this token leads, or did until no longer ago than that. */
  boolean ledByOtherWithin(long token, Duration time, long now) {
    return entry.filter(leader -> leader.created() != token).isPresent() || wentWithin(time, now);
  }

  private boolean wentWithin(Duration time, long now) {
    return goneAt.filter(at -> now - at <= time.toNanos()).isPresent();
  }
}
