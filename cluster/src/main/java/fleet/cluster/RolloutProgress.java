package fleet.cluster;

import fleet.core.operation.Rollout;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far a rollout is.
 *
 * @param waitsFor what keeps it from going on while nothing of it is on its way; empty where
 *     nothing does
 * @param units those of it that are still there, sorted
 */
public record RolloutProgress(Rollout rollout, String waitsFor, List<OfUnit> units) {

  public RolloutProgress {
    units = List.copyOf(units);
  }

  /** How far a unit is, on the way to the new content or back to what it had. */
  public enum Standing {
    /** Its turn has not come. */
    WAITS,
    /** It has been changed, and does not run yet. */
    COMING,
    /** It runs with the new content, and has to for some time. */
    PROVING,
    /** It has been changed, and does well, or need not run. */
    DONE,
    /** It has been changed, and does not do well. */
    FAILED,
    /** Somebody gave it another content meanwhile: it is left alone. */
    KEPT;

    /** As the API has it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Standing> ofText(String text) {
      return Stream.of(values()).filter(standing -> standing.text().equals(text)).findFirst();
    }
  }

  /**
   * A unit of it.
   *
   * @param how it is, said of the unit, such as "is active on machine m"
   */
  public record OfUnit(UnitName unit, Standing standing, String how) {}
}
