package fleet.registry.records;

import fleet.core.operation.Move;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.util.List;
import java.util.Set;

/**
 * The value of {@code operation/<id>}: what all operations have, and what only its kind needs. A
 * drain has none, as it is a setting of its machine.
 */
public sealed interface OperationRecord permits GlobalOperation, RebalanceRecord {

  Operation operation();

  /** The files that it may still need. */
  default Set<String> files() {
    return Set.of();
  }

  /** The moves that were found when it began, no two of one unit. */
  default List<Move> moves() {
    return List.of();
  }

  /** The same at another stage, or paused. */
  OperationRecord with(Operation now);

  /** The same after a request. */
  default OperationRecord after(OperationChange change, String who) {
    return with(operation().after(change, who));
  }

  String json();

  static OperationRecord of(Entry entry) {
    return switch (Keys.operationOf(entry.key()).kind()) {
      case DRAIN ->
          throw new RegistryException(
              "key " + entry.key() + ": a drain is a setting of its machine");
      case REBALANCE -> RebalanceRecord.of(entry);
      case ROLLOUT -> RolloutRecord.of(entry);
      case RESTART -> RestartRecord.of(entry);
    };
  }

  /** Takes the fields that all of them have. */
  static Operation read(Entry entry, FieldReader fields) {
    return new Operation(
        Keys.operationOf(entry.key()),
        fields.text("by"),
        fields.instant("started"),
        fields.meaning("stage", Stage::ofText),
        fields.truth("paused"),
        fields.text("reason"),
        Math.max(1, fields.count("maxUnavailable")));
  }

  /** Puts the fields that all of them have. */
  static FieldWriter write(Operation operation) {
    return new FieldWriter()
        .put("by", operation.by())
        .put("started", operation.started())
        .put("stage", operation.stage().text())
        .put("paused", operation.paused())
        .put("reason", operation.reason())
        .put("maxUnavailable", operation.maxUnavailable());
  }
}
