package fleet.engine;

import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.engine.picture.ClusterPicture;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.records.Keys;
import fleet.registry.records.StandbyRecord;
import java.util.Optional;

/**
 * The leader's offer of a seat for a warm standby, where there are so many units that to read and
 * understand them would keep the next leader from its work for long. Owned by the engine's loop.
 */
final class StandbyOffer {

  private final ClusterPicture picture;
  private final long token;
  private final int fromUnits;
  private final LeadersKey key;

  /**
   * @param fromUnits how many units are that many; 0 where nobody is to stand by warm
   */
  StandbyOffer(
      Registry registry,
      ClusterPicture picture,
      EventLoop loop,
      Leadership.Term term,
      int fromUnits) {
    this.picture = picture;
    this.token = term.token();
    this.fromUnits = fromUnits;
    this.key =
        new LeadersKey(
            registry, loop, term.token(), Keys.STANDBY, "whether one is to stand by warm");
  }

  /** Writes where the offer is not there as it should be, or is there and should not. */
  void reconcile() {
    Optional<Entry> stored = picture.standby();
    if (!isWanted(stored.isPresent())) {
      stored.ifPresent(_ -> key.write(stored, Optional.empty()));
    } else if (stored.filter(entry -> entry.modified() > token).isEmpty()) {
      // What is older may be the leader's own, from when it stood by.
      key.write(stored, Optional.of(StandbyRecord.FREE.json()));
    }
  }

  /** Whoever has the seat keeps it until far fewer units are there. */
  private boolean isWanted(boolean offered) {
    int units = picture.units().size();
    boolean othersMayLead = token != Leadership.Term.ALONE.token();
    return othersMayLead && fromUnits > 0 && units >= (offered ? fromUnits / 2 : fromUnits);
  }
}
