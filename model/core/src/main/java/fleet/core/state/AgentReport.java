package fleet.core.state;

import fleet.core.text.SingleLine;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;

/** A report of an agent to the engine about a unit. */
public sealed interface AgentReport {

  UnitName unit();

  /** The unit is on the machine in this state. */
  record Stated(UnitState state) implements AgentReport {
    @Override
    public UnitName unit() {
      return state.unit();
    }
  }

  /**
   * The unit is not on this machine: its name is free here.
   *
   * @param revision of the {@link fleet.core.schedule.ScheduleEntry} that this carries out; 0 if
   *     there is none
   * @param ended whether the start that the entry asked for had run to its end by itself before the
   *     unit was stopped; false if the agent cannot tell, or is of an earlier version
   */
  record Gone(UnitName unit, Incarnation incarnation, long revision, boolean ended)
      implements AgentReport {

    /** One that was stopped, or never ran. */
    public Gone(UnitName unit, Incarnation incarnation, long revision) {
      this(unit, incarnation, revision, false);
    }
  }

  /**
   * The unit was not touched, since systemd knows its name from elsewhere.
   *
   * @param revision of the {@link fleet.core.schedule.ScheduleEntry} that is refused
   */
  record Refused(UnitName unit, Incarnation incarnation, long revision, String why)
      implements AgentReport {

    private static final int LONGEST_REASON = 2000;

    /** One line, and no book. */
    public Refused {
      why = SingleLine.of(why, LONGEST_REASON);
    }
  }

  /** A name that was refused has become free. */
  record Freed(UnitName unit) implements AgentReport {}
}
