package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.records.ClusterRecord;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps engines out of a cluster in which a newer one has taken part: that one may have written
 * records that they do not understand. Belongs to its loop: made, called and heard there.
 */
final class EngineVersionGate {

  private static final Logger log = LoggerFactory.getLogger(EngineVersionGate.class);

  /** The version of this engine; fleet 1.0 had the same. */
  static final long OURS = 1;

  private static final Duration RETRY = Duration.ofSeconds(1);

  private final EventLoop loop;
  private final Registry registry;
  private boolean open;
  private Optional<String> tooOld = Optional.empty();
  private long seenAt = -1;

  EngineVersionGate(EventLoop loop, Registry registry) {
    this.loop = loop;
    this.registry = registry;
  }

  /** Whether this engine may begin to lead. */
  boolean isOpen() {
    return open;
  }

  /** Why this engine may lead no longer, even if it does. */
  Optional<String> tooOld() {
    return tooOld;
  }

  /** The present key of the cluster. */
  void seen(Optional<Entry> cluster, long revision) {
    if (revision <= seenAt) {
      return;
    }
    seenAt = revision;
    try {
      judge(cluster, cluster.map(ClusterRecord::of));
    } catch (RegistryException e) {
      open = false;
      log.error(
          "leadership: {}. No engine begins to lead until then: delete key {} of the registry"
              + " (below etcd_key_prefix), and the engines write it again",
          e.getMessage(),
          Keys.CLUSTER);
    }
  }

  private void judge(Optional<Entry> cluster, Optional<ClusterRecord> record) {
    long version = record.map(ClusterRecord::engineVersion).orElse(0L);
    open = version == OURS;
    if (version > OURS) {
      stayOut(version);
    } else {
      tooOld = Optional.empty();
      if (version < OURS) {
        ClusterRecord raised = record.orElse(new ClusterRecord(0)).withEngineVersion(OURS);
        loop.beside("engine version", () -> raise(cluster, version, raised));
      }
    }
  }

  private void stayOut(long version) {
    if (tooOld.isEmpty()) {
      log.warn(
          "leadership: an engine of version {} has taken part in this cluster, and this one has"
              + " version {}: it does not lead. Upgrade fleet on this machine, or set"
              + " disable_engine",
          version,
          OURS);
    }
    tooOld =
        Optional.of(
            "the cluster's engine version is %d now, this engine has %d".formatted(version, OURS));
  }

  private void raise(Optional<Entry> cluster, long from, ClusterRecord raised) {
    Transaction.Builder raising = Transaction.when().unchanged(Keys.CLUSTER, cluster);
    try {
      Outcome outcome = registry.commit(raising.put(Keys.CLUSTER, raised.json()).build());
      if (outcome instanceof Outcome.Committed) {
        log.info("leadership: raised the cluster's engine version from {} to {}", from, OURS);
      }
    } catch (RegistryException e) {
      log.warn("leadership: cannot raise the cluster's engine version: {}", e.getMessage());
      // If a newer version was written all the same, this write is refused, and the watch has told.
      loop.postAfter(
          RETRY, () -> loop.beside("engine version", () -> raise(cluster, from, raised)));
    }
  }
}
