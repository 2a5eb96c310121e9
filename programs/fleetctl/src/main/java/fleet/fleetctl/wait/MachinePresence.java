package fleet.fleetctl.wait;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a machine is there, and if not, what the leader makes of its absence. */
public enum MachinePresence {
  PRESENT,
  /** It may be about to come back, or to report to a new leader: a matter of moments. */
  AWAITED,
  /** It is away for as long as somebody said, and keeps its units. */
  IN_MAINTENANCE,
  /** It keeps its units while rescheduling pauses, and may never come back. */
  AWAY,
  /** It was given up. */
  LOST;

  /** The same snapshots with the presence of the machines that destroyed units are to leave. */
  static List<UnitSnapshot> withPresence(
      FleetClient client, List<Goal> goals, List<UnitSnapshot> snapshots) throws FleetException {
    List<String> machines = new ArrayList<>();
    Set<String> having = new HashSet<>();
    Set<String> others = new HashSet<>();
    for (int i = 0; i < snapshots.size(); i++) {
      String machine = "";
      if (goals.get(i) instanceof GoneGoal gone) {
        String unreported = gone.unreportedOn(snapshots.get(i));
        machine = unreported.isEmpty() ? gone.keptOn() : unreported;
        (unreported.isEmpty() ? others : having).add(machine);
      }
      machines.add(machine);
    }
    others.remove("");
    Map<String, MachinePresence> presence = of(client, having, others);
    List<UnitSnapshot> present = new ArrayList<>();
    for (int i = 0; i < snapshots.size(); i++) {
      present.add(snapshots.get(i).withPresence(presence.getOrDefault(machines.get(i), PRESENT)));
    }
    return present;
  }

  /**
   * The presence of some machines.
   *
   * @param having machines that have units: the leader names those of them that are absent
   * @param others machines that may have none, so that only the list of those present tells
   */
  private static Map<String, MachinePresence> of(
      FleetClient client, Set<String> having, Set<String> others) throws FleetException {
    Map<String, MachinePresence> found = new HashMap<>();
    if (!having.isEmpty() || !others.isEmpty()) {
      for (AbsentMachineEntity absent : client.operations().rescheduling().absent()) {
        found.put(absent.id(), of(absent));
      }
    }
    having.forEach(id -> found.putIfAbsent(id, PRESENT));
    if (!found.keySet().containsAll(others)) {
      Set<String> present =
          client.machines().list().stream().map(MachineEntity::id).collect(Collectors.toSet());
      others.forEach(id -> found.putIfAbsent(id, present.contains(id) ? PRESENT : LOST));
    }
    return found;
  }

  private static MachinePresence of(AbsentMachineEntity absent) {
    return switch (absent.standing()) {
      case "awaited" -> AWAITED;
      case "maintenance" -> IN_MAINTENANCE;
      case "lost" -> LOST;
      default -> AWAY;
    };
  }
}
