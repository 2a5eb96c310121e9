package fleet.fleetctl.command;

import fleet.core.unit.UnitName;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.Interruption;
import fleet.fleetctl.wait.RestartWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Restarts the instances of a template a few at a time, in the order in which they are named; units
 * of different templates beside each other. Launched global units follow, one unit after the other,
 * each on a few machines at a time, which the cluster carries out. The first failure ends it, and
 * the rest stay as they are.
 *
 * @param maxUnavailable how many instances of a template, or machines of a global unit, are
 *     restarted at the same time
 */
record RollingRestart(FleetClient client, Output output, Waits waits, int maxUnavailable) {

  /** More names would hide the reason above them. */
  private static final int NAMED = 10;

  /** The restart of some units. */
  private interface Turn {
    boolean isWell() throws FleetException;
  }

  int run(List<UnitPreparation> prepared) throws FleetException {
    List<UnitPreparation> instances = new ArrayList<>(prepared);
    List<String> global = new ArrayList<>();
    instances.removeIf(
        one -> one.toPut().isEmpty() && one.isChangedInTurns() && global.add(one.name()));
    if (!restartInstances(instances)) {
      tell(global);
      return ExitCode.FAILED;
    }
    for (int i = 0; i < global.size(); i++) {
      String unit = global.get(i);
      if (!isWell(() -> restartGlobal(unit), global.subList(i + 1, global.size()))) {
        return ExitCode.FAILED;
      }
    }
    return ExitCode.OK;
  }

  private boolean isWell(Turn turn, List<String> rest) throws FleetException {
    boolean well;
    try (var interruption = new Interruption(() -> tell(rest))) {
      well = turn.isWell();
      interruption.over();
    }
    if (!well) {
      tell(rest);
    }
    return well;
  }

  private boolean restartInstances(List<UnitPreparation> instances) throws FleetException {
    StartUnits units = new StartUnits(client, output, waits);
    List<String> left = new ArrayList<>(instances.stream().map(UnitPreparation::name).toList());
    for (List<UnitPreparation> round : rounds(instances).values()) {
      round.forEach(one -> left.remove(one.name()));
      if (!isWell(() -> units.restart(round) == ExitCode.OK, List.copyOf(left))) {
        return false;
      }
    }
    return true;
  }

  /** The units by round. */
  private SortedMap<Integer, List<UnitPreparation>> rounds(List<UnitPreparation> prepared) {
    Map<String, Integer> counts = new HashMap<>();
    SortedMap<Integer, List<UnitPreparation>> rounds = new TreeMap<>();
    for (UnitPreparation one : prepared) {
      int before = counts.merge(family(one), 1, Integer::sum) - 1;
      rounds.computeIfAbsent(before / maxUnavailable, _ -> new ArrayList<>()).add(one);
    }
    return rounds;
  }

  /** Units of one family wait for each other. New units are started already. */
  private static String family(UnitPreparation one) {
    if (one.toPut().isPresent()) {
      return one.name();
    }
    return UnitName.parse(one.name())
        .flatMap(UnitName::template)
        .map(UnitName::value)
        .orElse(one.name());
  }

  private boolean restartGlobal(String name) throws FleetException {
    boolean begun = client.operations().restartInTurns(name, maxUnavailable);
    output.line(
        begun
            ? "Triggered global unit " + name + " restart"
            : "Restart of " + name + " is already under way.");
    output.flush();
    return waits.follow(new RestartWords(name), output.aside());
  }

  private void tell(List<String> rest) {
    if (!rest.isEmpty()) {
      output.problem("Not restarted: " + ApplyText.names(NAMED, rest));
    }
  }
}
