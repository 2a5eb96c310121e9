package fleet.engine.state;

import fleet.core.operation.Move;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.RebalanceRecord;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rebalance of the store, over or not. Owned by the state's loop. */
public final class StoredRebalance {

  private final Map<UnitName, Move> underWay = new HashMap<>();
  private Optional<Stored> stored = Optional.empty();

  /**
   * The content of the key.
   *
   * @param entry that holds it, without its value
   */
  public record Stored(RebalanceRecord record, Entry entry) {}

  StoredRebalance() {}

  /** Returns the units that it may concern. */
  Set<UnitName> put(Entry entry) {
    Set<UnitName> concerned = forget();
    RebalanceRecord record = RebalanceRecord.of(entry);
    stored =
        Optional.of(
            new Stored(record, new Entry(entry.key(), "", entry.created(), entry.modified())));
    if (!record.operation().stage().isOver()) {
      record.moves().forEach(move -> underWay.put(move.unit(), move));
    }
    concerned.addAll(underWay.keySet());
    return concerned;
  }

  Set<UnitName> forget() {
    Set<UnitName> concerned = new HashSet<>(underWay.keySet());
    stored = Optional.empty();
    underWay.clear();
    return concerned;
  }

  public Optional<Stored> stored() {
    return stored;
  }

  /** The moves of one that has not ended, made or not, by unit. */
  public Map<UnitName, Move> underWay() {
    return Collections.unmodifiableMap(underWay);
  }

  /** The move that a unit has to make from a machine, as long as the rebalance has not ended. */
  public Optional<Move> move(UnitName unit, String machine) {
    return Optional.ofNullable(underWay.get(unit)).filter(move -> move.from().equals(machine));
  }

  /** Whether a unit is still on the machine that a move takes it from. */
  public boolean concerns(ScheduledUnit placed) {
    return move(placed.entry().unit(), placed.machine()).isPresent();
  }
}
