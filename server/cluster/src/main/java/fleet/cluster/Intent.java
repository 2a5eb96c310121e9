package fleet.cluster;

import fleet.core.collection.OrderedCopy;
import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Set;

/** A command to plan: what would follow from it. */
public sealed interface Intent {

  /** Units are created, replaced or changed. */
  record Put(List<UnitPut> puts) implements Intent {
    public Put {
      puts = List.copyOf(puts);
    }
  }

  record Destroy(Set<UnitName> units) implements Intent {
    public Destroy {
      units = OrderedCopy.of(units);
    }
  }

  record Drain(String machine, int maxUnavailable) implements Intent {}

  /**
   * As few units as possible move until the fullest machine has hardly more than the emptiest. Only
   * one rebalance is under way at a time.
   *
   * @param within how many units more than the emptiest machine the fullest may have, at least 1
   * @param moves how many units may move for that, at least 1
   * @param maxUnavailable how many instances of a template may be down at a time, at least 1
   */
  record Rebalance(int within, int moves, int maxUnavailable)
      implements Intent, NewOperation<RebalanceStart> {

    /** All of them are one value in the registry. */
    public static final int MOST_MOVES = 2_000;

    /** The details of the operation that follows from it. */
    public String details() {
      return "within " + within;
    }

    @Override
    public OperationId id() {
      return OperationId.REBALANCE;
    }
  }

  /** A machine is lost for good. */
  record Lose(String machine) implements Intent {}
}
