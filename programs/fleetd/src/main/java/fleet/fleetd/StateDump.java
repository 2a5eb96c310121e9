package fleet.fleetd;

import static java.util.stream.Collectors.joining;

import fleet.agent.AgentStates;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** One line of JSON with the units of this machine, in the shape of fleet 1.0's, for SIGUSR1. */
final class StateDump {

  /** A member of an object, whose value is JSON. */
  private record Field(String name, String value) {}

  private StateDump() {}

  static String line(AgentStates states) {
    return object(
        new Field("Agent", object(new Field("Cache", targets(states)))),
        new Field(
            "UnitStatePublisher",
            object(
                new Field("Cache", states(states.reported())),
                new Field("ToPublish", states(states.unreported())))),
        new Field(
            "UnitStateGenerator",
            object(new Field("Subscribed", names(states.performed().keySet())))));
  }

  private static String targets(AgentStates states) {
    String targets =
        states.performed().entrySet().stream()
            .map(entry -> quoted(entry.getKey().value()) + ":" + quoted(entry.getValue().text()))
            .collect(joining(","));
    return object(new Field("TargetStates", "{" + targets + "}"));
  }

  private static String states(List<UnitState> states) {
    return states.stream()
        .map(state -> quoted(state.unit().value()) + ":" + state(state))
        .sorted()
        .collect(joining(",", "{", "}"));
  }

  private static String state(UnitState state) {
    return object(
        new Field("LoadState", quoted(state.systemd().load())),
        new Field("ActiveState", quoted(state.systemd().active())),
        new Field("SubState", quoted(state.systemd().sub())),
        new Field("MachineID", quoted(state.machine())),
        new Field("UnitHash", quoted(state.hash())),
        new Field("UnitName", quoted(state.unit().value())));
  }

  private static String names(Collection<UnitName> names) {
    return names.stream().map(name -> quoted(name.value())).collect(joining(",", "[", "]"));
  }

  private static String object(Field... fields) {
    return Stream.of(fields)
        .map(field -> quoted(field.name()) + ":" + field.value())
        .collect(joining(",", "{", "}"));
  }

  /** Names of units hold no quotes, but they may hold backslashes. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
