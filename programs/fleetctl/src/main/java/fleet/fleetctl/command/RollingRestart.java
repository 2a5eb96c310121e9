package fleet.fleetctl.command;

import fleet.core.unit.UnitName;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.unit.UnitPreparation;
import fleet.fleetctl.wait.Interruption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Restarts the instances of a template a few at a time, in the order in which they are named; units
 * of different templates beside each other. The first failure ends it, and the rest stay as they
 * are.
 *
 * @param maxUnavailable how many instances of a template are restarted at the same time
 */
record RollingRestart(StartUnits units, Output output, int maxUnavailable) {

  /** More names would hide the reason above them. */
  private static final int NAMED = 10;

  int run(List<UnitPreparation> prepared) throws FleetException {
    List<String> left = new ArrayList<>(prepared.stream().map(UnitPreparation::name).toList());
    for (List<UnitPreparation> round : rounds(prepared).values()) {
      round.forEach(one -> left.remove(one.name()));
      List<String> rest = List.copyOf(left);
      int code;
      try (var interruption = new Interruption(() -> tell(output, rest))) {
        code = units.restart(round);
        interruption.over();
      }
      if (code != ExitCode.OK) {
        tell(output, rest);
        return code;
      }
    }
    return ExitCode.OK;
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

  /** Names units that stay as they are. */
  static void tell(Output output, List<String> rest) {
    if (!rest.isEmpty()) {
      int more = rest.size() - NAMED;
      output.problem(
          "Not restarted: "
              + String.join(", ", rest.subList(0, Math.min(NAMED, rest.size())))
              + (more > 0 ? " and " + more + " more" : ""));
    }
  }
}
