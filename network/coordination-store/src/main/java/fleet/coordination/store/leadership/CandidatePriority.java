package fleet.coordination.store.leadership;

import fleet.coordination.EventLoop;
import fleet.coordination.store.KeyFollower;
import fleet.coordination.store.LoopTimer;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The preference for leaders that joined machines can speak to: these do not reach the store, so a
 * leader that they cannot reach loses them all, and starts their units elsewhere. An engine that
 * they cannot reach leads only if no other one does. Belongs to the loop of its election.
 */
final class CandidatePriority implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CandidatePriority.class);

  /** A fleetd that restarts is back within this time, and can lead again. */
  private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(5);

  private final boolean spokenTo;
  private final LeaderSighting sighting;
  private final KeyFollower mark;
  private final LoopTimer pause;
  private boolean looked;
  private boolean joined;

  /**
   * @param spokenTo whether machines speak to this engine when it leads
   * @param pause before this engine stands for election
   */
  CandidatePriority(
      boolean spokenTo,
      LeaderSighting sighting,
      LoopTimer pause,
      EventLoop loop,
      Registry registry) {
    this.spokenTo = spokenTo;
    this.sighting = sighting;
    this.pause = pause;
    this.mark = new KeyFollower(loop, registry, Keys.JOINED, this::seen);
  }

  void begin() {
    mark.start();
  }

  private void seen(Optional<Entry> entry, long revision) {
    boolean before = joined;
    looked = true;
    joined = entry.isPresent();
    log.trace("leadership: machines have joined at revision {}: {}", revision, joined);
    if (joined && !before && !spokenTo) {
      log.warn(
          "leadership: machines that have joined cannot speak to this server; it leads only if"
              + " no server with enable_grpc and a public_ip does");
    }
    leaveToOthers();
  }

  /** Whether the facts for the priority are known. */
  boolean isKnown() {
    return looked;
  }

  /** While nobody leads, an engine that machines speak to comes first. */
  void leaveToOthers() {
    if (joined && !spokenTo && sighting.looked() && sighting.entry().isEmpty()) {
      pause.atLeast(LEFT_TO_OTHERS);
    }
  }

  /** Whether this engine reaches machines that the leader does not. */
  boolean isFurtherThanLeaders() {
    return joined && spokenTo && sighting.isSilent();
  }

  @Override
  public void close() {
    mark.close();
  }
}
