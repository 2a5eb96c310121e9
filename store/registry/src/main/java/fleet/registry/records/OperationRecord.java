package fleet.registry.records;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.registry.Entry;

/**
 * The value of a key below {@code operation/}: what all operations have, and what only its kind
 * needs. A drain has none, as it is a setting of its machine.
 */
public sealed interface OperationRecord permits RebalanceRecord, RolloutRecord {

  Operation operation();

  /** The same at another stage, or paused. */
  OperationRecord with(Operation now);

  String json();

  static OperationRecord of(Entry entry) {
    return entry.key().equals(Keys.REBALANCE) ? RebalanceRecord.of(entry) : RolloutRecord.of(entry);
  }

  /** Takes the fields that all of them have. */
  static Operation read(OperationId id, FieldReader fields) {
    return new Operation(
        id,
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
        .put("started", operation.started().toString())
        .put("stage", operation.stage().text())
        .put("paused", operation.paused())
        .put("reason", operation.reason())
        .put("maxUnavailable", operation.maxUnavailable());
  }
}
