package fleet.cluster;

import fleet.core.text.EnumText;
import fleet.core.unit.UnitName;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why a unit is where it is, or nowhere. Machines are described at this moment.
 *
 * @param machine where it is; empty if it is nowhere, and for a global unit
 * @param reason in one line, as the unit's view has it
 * @param machines how many there are
 * @param obstacles what keeps it from machines, one for each rule; each machine is in one at most
 * @param nearest the machine that comes closest to fitting, if none does
 * @param contenders the machines that fit: the best, the two next, and the one that it is on; of a
 *     global unit all that have it
 * @param require what it asks beside its file, each {@code Option=Value} of {@code [X-Fleet]}
 */
public record PlacementReasons(
    UnitName unit,
    Standing standing,
    Optional<String> machine,
    String reason,
    int machines,
    List<Obstacle> obstacles,
    Optional<Miss> nearest,
    List<Contender> contenders,
    List<String> require) {

  public PlacementReasons {
    obstacles = List.copyOf(obstacles);
    contenders = List.copyOf(contenders);
    require = List.copyOf(require);
  }

  /** The stage of the unit. */
  public enum Standing implements EnumText {
    /** It is inactive. */
    INACTIVE,
    /** It waits for a place. */
    WAITS,
    /** It has a place. */
    PLACED,
    /** It is on every machine that fits. */
    GLOBAL;
  }

  /**
   * A rule that some machines do not meet.
   *
   * @param rule such as {@code MachineMetadata}
   * @param text such as "2 of 5 machines lack region=eu"
   * @param machines by the id, what is wrong there: "lacks region=eu"
   */
  public record Obstacle(String rule, String text, SortedMap<String, String> machines) {
    public Obstacle {
      machines = Collections.unmodifiableSortedMap(new TreeMap<>(machines));
    }
  }

  /**
   * A machine that nearly fits.
   *
   * @param verdicts all that is wrong there
   * @param change the smallest change that would place the unit there
   */
  public record Miss(String machine, List<String> verdicts, String change) {
    public Miss {
      verdicts = List.copyOf(verdicts);
    }
  }

  /**
   * A machine that fits.
   *
   * @param reason of the best one, why it is that; of another, what the best one does better
   */
  public record Contender(String machine, String reason) {}
}
