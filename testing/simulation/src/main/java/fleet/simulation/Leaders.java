package fleet.simulation;

import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import fleet.simulation.store.StoreServer;
import java.util.Optional;

/** The leader, according to the store. */
final class Leaders {

  private Optional<String> now = Optional.empty();
  private Optional<String> term = Optional.empty();

  Leaders(StoreServer store) {
    store.observe(this::committed);
  }

  /** The id of the machine whose engine leads. */
  Optional<String> now() {
    return now;
  }

  /** Names one leader's time. */
  Optional<String> term() {
    return term;
  }

  private void committed(Delta delta) {
    for (Change change : delta.changes()) {
      if (change.key().equals(Keys.LEADER)) {
        now =
            change instanceof Change.Written written
                ? Optional.of(LeaderRecord.of(written.entry()).machine())
                : Optional.empty();
        term =
            change instanceof Change.Written written
                ? Optional.of("leader since revision " + written.entry().modified())
                : Optional.empty();
      }
    }
  }
}
