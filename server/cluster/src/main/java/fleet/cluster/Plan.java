package fleet.cluster;

import fleet.core.operation.Evenness;
import fleet.core.text.EnumText;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;

/**
 * The consequences of an intent, once all of it is carried out.
 *
 * @param changes sorted by unit and machine
 * @param evening the evenness of machines before and after, if the intent is a rebalance
 * @param refusal why the command would be refused; empty if it would not
 */
public record Plan(List<Change> changes, Optional<Evening> evening, String refusal) {

  public Plan {
    changes = List.copyOf(changes);
  }

  public Plan(List<Change> changes) {
    this(changes, Optional.empty(), "");
  }

  public static Plan refused(String why) {
    return new Plan(List.of(), Optional.empty(), why);
  }

  /**
   * How evenly units are spread.
   *
   * @param rest why the bound is not reached; empty if it is
   */
  public record Evening(Evenness before, Evenness after, String rest) {}

  /** Kinds of changes to a unit. */
  public enum Kind implements EnumText {
    /** It comes to a machine, and was on none. */
    PLACED,
    /** It goes from one machine to another. */
    MOVED,
    /** It leaves its machine, and comes to no other. */
    LEFT,
    /** It is started where it is. */
    STARTED,
    /** It is stopped, and stays where it is. */
    STOPPED,
    /** It finds no place. */
    UNPLACED,
    /** It stays where it is, though it should leave. */
    STAYS;
  }

  /**
   * A change of one unit; a global unit has one for each machine.
   *
   * @param from id of the machine that it is on; empty if it is on none
   * @param to id of the machine that it comes to; empty if it comes to none
   * @param why in one line
   */
  public record Change(UnitName unit, Kind kind, String from, String to, String why) {}
}
