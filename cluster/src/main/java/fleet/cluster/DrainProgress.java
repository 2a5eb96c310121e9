package fleet.cluster;

import fleet.core.machine.Drain;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far a machine that is drained is rid of its units.
 *
 * @param units those that it still has, sorted
 */
public record DrainProgress(Drain drain, List<OfUnit> units) {

  public DrainProgress {
    units = List.copyOf(units);
  }

  /** The state of a unit in the drain. */
  public enum Standing {
    /** There is a place for it elsewhere, and it is about to be stopped here. */
    NEXT,
    /** It is being stopped here. */
    LEAVING,
    /** Its turn comes once something has happened that is on its way. */
    WAITS,
    /** It stays until something is different. */
    STAYS,
    /** It has run to its end, and stays: elsewhere it would run a second time. */
    ENDED,
    /** It runs on every machine that fits, and stays. */
    GLOBAL;

    /** As the API has it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Standing> ofText(String text) {
      return Stream.of(values()).filter(standing -> standing.text().equals(text)).findFirst();
    }
  }

  /**
   * A unit that is still there.
   *
   * @param next id of the machine where a place is kept for it; empty where none is
   * @param why what it waits for or why it stays; empty where the standing says all
   */
  public record OfUnit(UnitName unit, Standing standing, String next, String why) {}
}
