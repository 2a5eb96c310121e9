package fleet.fleetd;

import fleet.agent.AgentStates;
import fleet.core.state.UnitState;
import fleet.core.text.JsonText;
import fleet.core.unit.UnitName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One line of JSON with the units of this machine, in the shape of fleet 1.0's, for SIGUSR1. */
final class StateDump {

  private StateDump() {}

  static String line(AgentStates states) {
    Map<String, Object> targets = new LinkedHashMap<>();
    states.performed().forEach((unit, state) -> targets.put(unit.value(), state.text()));
    Map<String, Object> publisher = new LinkedHashMap<>();
    publisher.put("Cache", states(states.reported()));
    publisher.put("ToPublish", states(states.unreported()));
    Map<String, Object> dump = new LinkedHashMap<>();
    dump.put("Agent", Map.of("Cache", Map.of("TargetStates", targets)));
    dump.put("UnitStatePublisher", publisher);
    dump.put("UnitStateGenerator", Map.of("Subscribed", targets.keySet()));
    return JsonText.inAscii(dump);
  }

  private static Map<UnitName, Object> states(List<UnitState> states) {
    Map<UnitName, Object> byName = new TreeMap<>();
    states.forEach(state -> byName.put(state.unit(), state(state)));
    return byName;
  }

  private static Map<String, Object> state(UnitState state) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("LoadState", state.systemd().load());
    fields.put("ActiveState", state.systemd().active());
    fields.put("SubState", state.systemd().sub());
    fields.put("MachineID", state.machine());
    fields.put("UnitHash", state.hash());
    fields.put("UnitName", state.unit().value());
    return fields;
  }
}
