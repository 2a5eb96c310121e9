package fleet.engine.decide;

import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Condition;
import fleet.registry.Transaction.Write;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The writes of one transaction with their conditions, unit by unit. A key is written at most once:
 * a later write takes the place of an earlier.
 */
public final class DecisionWrites {

  private final Map<String, Write> byKey = new LinkedHashMap<>();
  private final List<Condition> conditions = new ArrayList<>();
  private final Map<String, UnitName> conditioned = new HashMap<>();
  private final Set<UnitName> units = new LinkedHashSet<>();

  /**
   * A transaction that is carried out only while its writer leads.
   *
   * @param token of the leader that writes; 0 if nobody else can lead
   */
  public static Transaction.Builder fenced(long token) {
    var transaction = Transaction.when();
    return token == 0 ? transaction : transaction.createdAt(Keys.LEADER, token);
  }

  public void put(UnitName unit, String key, String value) {
    units.add(unit);
    byKey.put(key, new Write.Put(key, value));
  }

  public void delete(UnitName unit, String key) {
    units.add(unit);
    byKey.put(key, new Write.Delete(key));
  }

  /**
   * A decision about a unit holds only while a key is unchanged.
   *
   * @param revision that wrote the key; empty if there is none
   */
  public void require(UnitName unit, String key, OptionalLong revision) {
    if (conditioned.putIfAbsent(key, unit) == null) {
      conditions.add(
          revision.isPresent()
              ? new Condition.Unmodified(key, revision.getAsLong())
              : new Condition.Absent(key));
    }
  }

  public boolean isEmpty() {
    return byKey.isEmpty();
  }

  /** The number of units with writes. */
  public int unitCount() {
    return units.size();
  }

  /** The units with writes. */
  public Set<UnitName> units() {
    return new LinkedHashSet<>(units);
  }

  /** The unit whose decision requires this key to be unchanged. */
  public Optional<UnitName> conditionedBy(String key) {
    return Optional.ofNullable(conditioned.get(key));
  }

  /**
   * All writes as one transaction.
   *
   * @param token of the leader that writes; 0 if nobody else can lead
   */
  public Transaction transaction(long token) {
    var transaction = fenced(token);
    conditions.forEach(transaction::and);
    return new Transaction(transaction.build().conditions(), List.copyOf(byKey.values()));
  }
}
