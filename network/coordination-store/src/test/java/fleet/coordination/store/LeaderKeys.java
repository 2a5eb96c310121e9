package fleet.coordination.store;

import fleet.registry.Lease;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;

/** Leaders' keys as tests want them. */
public final class LeaderKeys {

  private LeaderKeys() {}

  /** A leader that only exists in the store. */
  public record Impostor(Lease lease) {}

  public static Impostor impostor(SharedRegistry store, String address) {
    Lease lease = store.grant(Duration.ofSeconds(60));
    LeaderRecord record = new LeaderRecord("impostor", "its boot", address, "2.0.0", 1, false);
    store.commit(
        Transaction.when().absent(Keys.LEADER).put(Keys.LEADER, record.json(), lease).build());
    return new Impostor(lease);
  }
}
