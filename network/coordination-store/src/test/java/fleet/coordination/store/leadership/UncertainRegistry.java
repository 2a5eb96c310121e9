package fleet.coordination.store.leadership;

import fleet.registry.ForwardingRegistry;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry that does not tell what became of commits to the leader's key. */
final class UncertainRegistry extends ForwardingRegistry {

  private final AtomicInteger toLose = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();

  UncertainRegistry(SharedRegistry real) {
    super(real);
  }

  void loseNextOutcome() {
    toLose.incrementAndGet();
  }

  int lost() {
    return lost.get();
  }

  @Override
  public Outcome commit(Transaction transaction) {
    Outcome outcome = super.commit(transaction);
    boolean leaders =
        transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.LEADER));
    if (leaders && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      lost.incrementAndGet();
      throw new OutcomeUnknownException("not told", new IllegalStateException("for a test"));
    }
    return outcome;
  }
}
