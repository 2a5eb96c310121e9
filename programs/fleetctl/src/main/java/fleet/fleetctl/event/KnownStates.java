package fleet.fleetctl.event;

import fleet.entities.ContextEntity;
import fleet.entities.EventEntity;
import fleet.entities.StateEntity;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The last state of each unit on each machine that people were told. fleetd tells of a state also
 * if only what people are not shown has changed, such as how far the agent has got.
 */
public final class KnownStates {

  private final Map<ContextEntity, Shown> last = new HashMap<>();

  /** The parts of a state that people see, and the id that tells one run from the next. */
  private record Shown(
      String active, String sub, String result, String problem, String invocation) {}

  /** Whether an event says something that has not been said; always if it is of no state. */
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
