package fleet.cluster;

import fleet.core.operation.Evenness;
import fleet.core.operation.Rebalance;
import fleet.core.operation.Rebalance.Move;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far a rebalance is, or how it ended.
 *
 * @param now how evenly units are spread
 * @param units those that it moves, in the order in which their moves were found
 */
public record RebalanceProgress(Rebalance rebalance, Evenness now, List<OfUnit> units) {

  public RebalanceProgress {
    units = List.copyOf(units);
  }

  /** The state of a unit in the rebalance. */
  public enum Standing {
    /** It is about to be stopped where it is. */
    NEXT,
    /** It is being stopped there. */
    LEAVING,
    /** Its turn comes once something has happened that is on its way. */
    WAITS,
    /** It stays where it is; as long as others are on their way, that may change. */
    STAYS,
    /** It has left. */
    MOVED;

    /** As the API has it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Standing> ofText(String text) {
      return Stream.of(values()).filter(standing -> standing.text().equals(text)).findFirst();
    }

    /** Whether something is still to happen to the unit. */
    public boolean isOpen() {
      return this == NEXT || this == LEAVING || this == WAITS;
    }
  }

  /**
   * A unit that moves.
   *
   * @param why what it waits for or why it stays; empty where the standing says all
   */
  public record OfUnit(Move move, Standing standing, String why) {}
}
