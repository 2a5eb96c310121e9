package fleet.scheduler;

import fleet.core.machine.Resources;
import java.util.List;

/**
 * The measure for the best of the machines that pass all filters.
 *
 * <p>A machine's score is its {@link #standing} and what the unit {@linkplain #adds adds}; the
 * lowest is best, and of equals the first by id. With these two parts, the scheduler keeps machines
 * in order and looks at few of them. Stateless, and safe for use by many threads.
 */
public interface Strategy {

  /** Its name in settings and units: lower case letters, digits and hyphens. */
  String name();

  /** The part that does not depend on the unit. May change only when the machine does. */
  int standing(MachineInfo machine);

  /**
   * The part that the unit adds on machines of that size.
   *
   * @param total the resources of such a machine, rounded; zero if unknown
   */
  default int adds(Demand demand, Resources total) {
    return 0;
  }

  /** The lower, the better. */
  default long score(Demand demand, MachineInfo machine) {
    return (long) standing(machine) + adds(demand, machine.size().resources());
  }

  /**
   * Whether all machines that fit are equally good and one of them is to be drawn by lot. Then
   * nothing else here matters.
   */
  default boolean isByLot() {
    return false;
  }

  /**
   * Whether only machines will do that have {@linkplain ClusterLayout#bid bid} for the unit. Then
   * their {@link #score} alone decides, which need not be made of two parts.
   */
  default boolean isByBids() {
    return false;
  }

  /** Rules of its own that a machine must meet beside those for all units. */
  default List<Filter> filters() {
    return List.of();
  }

  /** The seed of the lots that are drawn for a unit. */
  default long seed(Demand demand) {
    return 0;
  }

  /**
   * Whether machines are to have about as much as each other: only then does a rebalance move units
   * that were placed like this.
   */
  default boolean isEven() {
    return false;
  }

  /** Why this machine was the best, for people. */
  String reason(Demand demand, MachineInfo machine);

  /** Why a machine that fits was worse than the best one, for people; said of the machine. */
  default String comparison(Demand demand, MachineInfo machine, MachineInfo best) {
    return "has "
        + machine.loadInWords()
        + ", "
        + UsedShare.inWords(machine.reserved(), machine.machine().total())
        + "; "
        + best.id()
        + " has "
        + best.loadInWords()
        + ", "
        + UsedShare.inWords(best.reserved(), best.machine().total());
  }
}
