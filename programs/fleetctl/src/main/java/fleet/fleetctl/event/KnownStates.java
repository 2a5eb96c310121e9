package fleet.fleetctl.event;

import fleet.entities.ContextEntity;
import fleet.entities.EventEntity;
import fleet.entities.StateEntity;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The last printed state of each unit on each machine. fleetd also sends a state if only hidden
 * parts of it have changed, such as the progress of the agent.
 */
public final class KnownStates {

  private final Map<ContextEntity, Shown> last = new HashMap<>();

  /** The parts of a state that people see, and the id that tells one run from the next. */
  private record Shown(
      String active, String sub, String result, String problem, String invocation) {}

  /** Whether an event says something new; always true for events that are no states. */
  public boolean isNews(EventEntity event) {
    ContextEntity of = event.context();
    StateEntity state = event.state();
    if (state == null) {
      return true;
    }
    if (!event.name().equals("state")) {
      last.remove(of);
      return true;
    }
    var shown =
        new Shown(
            state.systemdActiveState(),
            state.systemdSubState(),
            state.result(),
            state.problem(),
            state.invocationID());
    return !Objects.equals(last.put(of, shown), shown);
  }
}
