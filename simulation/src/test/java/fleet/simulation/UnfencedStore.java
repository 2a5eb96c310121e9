package fleet.simulation;

import fleet.registry.ForwardingRegistry;
import fleet.registry.Outcome;
import fleet.registry.SharedRegistry;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import java.util.List;

/** A store that lets a leader write whatever became of it meanwhile: what fencing prevents. */
final class UnfencedStore extends ForwardingRegistry {

  UnfencedStore(SharedRegistry store) {
    super(store);
  }

  @Override
  public Outcome commit(Transaction transaction) {
    boolean election = transaction.writes().stream().map(Write::key).anyMatch(Keys.LEADER::equals);
    return super.commit(election ? transaction : unfenced(transaction));
  }

  /** Leaders also demand that what they decided about is as they knew it: a fence within. */
  private static Transaction unfenced(Transaction transaction) {
    boolean leaders =
        transaction.conditions().stream().map(Condition::key).anyMatch(Keys.LEADER::equals);
    return leaders ? new Transaction(List.of(), transaction.writes()) : transaction;
  }
}
