package fleet.cluster;

import fleet.core.operation.OperationId;
import java.util.List;

/**
 * A request to begin an operation.
 *
 * @param <R> the answer to it
 */
public sealed interface NewOperation<R> permits Intent.Rebalance, NewRestart, NewRollout {

  /** The operation that is to begin. */
  OperationId id();

  /** The units that it gives another content, as they are to be. */
  default List<UnitPut> puts() {
    return List.of();
  }
}
