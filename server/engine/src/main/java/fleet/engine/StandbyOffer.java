package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.engine.state.ClusterState;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import fleet.registry.records.StandbyRecord;
import java.time.Duration;
import java.util.Optional;

/**
 * The leader's offer of a seat for a warm standby, if loading all units would delay the next leader
 * for long. Owned by the state thread.
 */
final class StandbyOffer {

  private final ClusterState cluster;
  private final EventLoop loop;
  private final LeaderWrites writes;
  private final EngineSettings.Standby settings;
  private final LeaderWrites.KeptKey key;
  private Optional<Long> wantedSince = Optional.empty();
  private long lastWork;
  private boolean looksAgain;

  StandbyOffer(
      LeaderWrites writes, ClusterState cluster, EventLoop loop, EngineSettings.Standby settings) {
    this.cluster = cluster;
    this.writes = writes;
    this.settings = settings;
    this.loop = loop;
    this.lastWork = loop.nanoTime();
    this.key = writes.key(Keys.STANDBY, "whether one is to stand by warm");
  }

  /** The leader has decided something. */
  void worked() {
    lastWork = loop.nanoTime();
  }

  /** Writes the offer if it is missing, and deletes it if it is not wanted. */
  void reconcile() {
    Optional<Entry> stored = cluster.standby();
    if (!isWanted(stored.isPresent())) {
      wantedSince = Optional.empty();
      stored.ifPresent(_ -> key.write(stored, Optional.empty()));
    } else if (stored.filter(entry -> entry.modified() > writes.token()).isEmpty() && isTime()) {
      // An older entry may be the leader's own, from when it stood by.
      key.write(stored, Optional.of(StandbyRecord.FREE.json()));
    }
  }

  /** The holder of the seat keeps it until far fewer units are there. */
  private boolean isWanted(boolean offered) {
    int from = settings.fromUnits();
    return writes.othersMayLead()
        && from > 0
        && cluster.units().all().size() >= (offered ? from / 2 : from);
  }

  private boolean isTime() {
    long now = loop.nanoTime();
    long since = wantedSince.orElse(now);
    wantedSince = Optional.of(since);
    long calmIn = settings.calm().toNanos() - (now - lastWork);
    if (calmIn <= 0 || now - since >= settings.atMost().toNanos()) {
      return true;
    }
    if (!looksAgain) {
      looksAgain = true;
      loop.postAfter(Duration.ofNanos(calmIn), () -> looksAgain = false);
    }
    return false;
  }
}
