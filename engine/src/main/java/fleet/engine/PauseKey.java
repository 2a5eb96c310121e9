package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.engine.picture.ClusterPicture;
import fleet.engine.picture.ClusterPicture.StoredPause;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import fleet.registry.records.PauseRecord;
import java.util.Optional;

/**
 * Brings the key that says whether rescheduling pauses to what the leader wants. Owned by the
 * engine's loop.
 */
final class PauseKey {

  private final ClusterPicture picture;
  private final LeadersKey key;
  private Optional<PauseRecord> wanted = Optional.empty();

  /**
   * @param token of the leader; 0 where nobody else can lead
   */
  PauseKey(Registry registry, ClusterPicture picture, EventLoop loop, long token) {
    this.picture = picture;
    this.key =
        new LeadersKey(registry, loop, token, Keys.PAUSE, "that rescheduling pauses, or goes on");
  }

  Optional<PauseRecord> wanted() {
    return wanted;
  }

  void want(Optional<PauseRecord> record) {
    wanted = record;
  }

  /** Writes where the store has something else. */
  void reconcile() {
    Optional<StoredPause> stored = picture.pause();
    if (!stored.map(StoredPause::record).equals(wanted)) {
      key.write(stored.map(StoredPause::entry), wanted.map(PauseRecord::json));
    }
  }
}
