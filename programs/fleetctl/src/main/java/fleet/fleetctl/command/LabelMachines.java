package fleet.fleetctl.command;

import fleet.entities.MetadataOperationEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Changes of the metadata of machines.
 *
 * @param changes new values by key; an empty one removes the key
 */
record LabelMachines(List<String> machines, Map<String, String> changes) {

  static final String CALL = "machines label MACHINE... KEY=VALUE... KEY-...";

  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_.-]+");

  /** Reads the words of the call: machines first, then changes. */
  static LabelMachines of(List<String> words) throws CommandException {
    List<String> machines = new ArrayList<>();
    Map<String, String> changes = new TreeMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 0 && !word.endsWith("-")) {
        if (!changes.isEmpty()) {
          throw CommandException.usage(
              "Error: \"%s\" is neither KEY=VALUE nor KEY-; machines come first".formatted(word));
        }
        machines.add(word);
      } else {
        String key = equals < 0 ? word.substring(0, word.length() - 1) : word.substring(0, equals);
        String value = equals < 0 ? "" : word.substring(equals + 1);
        check(word, key, equals >= 0 && value.isEmpty());
        if (changes.put(key, value) != null) {
          throw CommandException.usage("Error: %s is given twice".formatted(key));
        }
      }
    }
    if (machines.isEmpty() || changes.isEmpty()) {
      throw CommandException.usage("Error: expect fleetctl " + CALL);
    }
    return new LabelMachines(machines, changes);
  }

  private static void check(String word, String key, boolean isEmpty) throws CommandException {
    if (!KEY.matcher(key).matches()) {
      throw CommandException.usage(
          "Error: invalid key in \"%s\": expect letters, digits, '_', '.' and '-'".formatted(word));
    }
    if (isEmpty) {
      throw CommandException.usage(
          "Error: \"%s\" has no value; to remove the key: %s-".formatted(word, key));
    }
  }

  /** Makes all changes in one request; returns a line for each machine. */
  String apply(FleetClient client) throws FleetException {
    MachineSelector selector = MachineSelector.of(client);
    List<MetadataOperationEntity> operations = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String id : selector.ids(machines)) {
      changes.forEach((key, value) ->
          operations.add(
              new MetadataOperationEntity(
                  value.isEmpty() ? "remove" : "add", "/" + id + "/metadata/" + key, value)));
      lines.add("Machine %s is labelled: %s.".formatted(selector.name(id), text()));
    }
    client.machines().label(operations);
    return String.join("\n", lines);
  }

  private String text() {
    return changes.entrySet().stream()
        .map(change ->
            change.getValue().isEmpty()
                ? change.getKey() + " removed"
                : change.getKey() + "=" + change.getValue())
        .collect(Collectors.joining(", "));
  }
}
