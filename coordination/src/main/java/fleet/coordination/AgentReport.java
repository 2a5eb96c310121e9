package fleet.coordination;

import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;

/** What an agent tells the engine about a unit. */
public sealed interface AgentReport {

  UnitName unit();

  /** The unit is on the machine in this state. */
  record Stated(UnitState state) implements AgentReport {
    @Override
    public UnitName unit() {
      return state.unit();
    }
  }

  /** The unit was stopped and removed: its name is free on this machine. */
  record Gone(UnitName unit, Incarnation incarnation) implements AgentReport {}

  /** The unit was not touched, since systemd knows its name from elsewhere. */
  record Refused(UnitName unit, Incarnation incarnation, String why) implements AgentReport {}

  /** A name that was refused has become free. */
  record Freed(UnitName unit) implements AgentReport {}
}
