package fleet.agent;

import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.SortedMap;

/**
 * The units that are here, as the agent has them at one moment.
 *
 * @param scheduled whether the agent knows what is to run here
 * @param performed how far the agent has got with each
 * @param reported the state that the cluster was last told, of those of which it was told any
 * @param unreported the states that it is still to be told
 */
public record AgentStates(
    boolean scheduled,
    SortedMap<UnitName, DesiredState> performed,
    List<UnitState> reported,
    List<UnitState> unreported) {

  public AgentStates {
    reported = List.copyOf(reported);
    unreported = List.copyOf(unreported);
  }
}
