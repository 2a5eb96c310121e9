package fleet.registry.records;

import fleet.core.operation.Move;
import fleet.core.operation.Operation;
import fleet.registry.Entry;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The value of {@code operation/rebalance}. The moves are what was found when it began; how far
 * they are is to be seen by where their units are. It is there until another rebalance begins.
 *
 * @param within how many units more than the emptiest machine the fullest may have, at least 1
 * @param moves no two of one unit
 * @param stayed why units have not moved, by their names; empty until it has ended
 */
public record RebalanceRecord(
    Operation operation,
    int within,
    List<Move> moves,
    SortedMap<String, String> stayed,
    UnknownFields unknown)
    implements OperationRecord {

  public RebalanceRecord {
    moves = List.copyOf(moves);
    stayed = Collections.unmodifiableSortedMap(new TreeMap<>(stayed));
  }

  /** One that begins. */
  public RebalanceRecord(Operation operation, int within, List<Move> moves) {
    this(operation, within, moves, Collections.emptySortedMap(), UnknownFields.NONE);
  }

  public static RebalanceRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new RebalanceRecord(
        OperationRecord.read(entry, fields),
        Math.max(1, fields.count("within")),
        fields.parts("moves").stream().map(RebalanceRecord::move).toList(),
        new TreeMap<>(fields.textsByName("stayed")),
        fields.rest());
  }

  private static Move move(FieldReader fields) {
    return new Move(fields.unit("unit"), fields.text("from", ""), fields.text("to", ""));
  }

  @Override
  public String json() {
    return OperationRecord.write(operation)
        .put("within", within)
        .put("moves", moves.stream().map(RebalanceRecord::fields))
        .put("stayed", stayed)
        .render(unknown);
  }

  private static FieldWriter fields(Move move) {
    return FieldWriter.ofPart()
        .put("unit", move.unit().value())
        .put("from", move.from())
        .put("to", move.to());
  }

  @Override
  public RebalanceRecord with(Operation now) {
    return new RebalanceRecord(now, within, moves, stayed, unknown);
  }

  /** The same, at its end. */
  public RebalanceRecord ended(SortedMap<String, String> why) {
    return new RebalanceRecord(operation.ended(), within, moves, why, unknown);
  }
}
