package fleet.fleetctl.command;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.DrainEntity;
import fleet.entities.MachineEntity;
import fleet.entities.MaintenanceEntity;
import fleet.entities.PauseEntity;
import fleet.entities.ReschedulingEntity;
import fleet.entities.UnreportedEntity;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.LocalTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Notes on machines that are absent, cordoned, drained or in maintenance, a line each. */
final class MachineNotes {

  private MachineNotes() {}

  /**
   * @param name the name of a machine by its id
   */
  static List<String> of(ReschedulingEntity rescheduling, UnaryOperator<String> name) {
    List<String> notes = new ArrayList<>();
    PauseEntity pause = rescheduling.pause();
    if (pause != null) {
      notes.add("RESCHEDULING IS PAUSED: " + LocalTimes.in(pause.reason()));
    }
    for (AbsentMachineEntity machine : rescheduling.absent()) {
      String id = machine.id();
      notes.add(
          "Machine %s is %s%s."
              .formatted(
                  name.apply(id),
                  standing(machine),
                  machine.standing().equals("cordoned")
                      ? ""
                      : " (" + units(machine.units()) + ")"));
    }
    return notes;
  }

  /** Which machines are cordoned or drained. */
  static List<String> cordoned(List<MachineEntity> machines, UnaryOperator<String> name) {
    return machines.stream()
        .filter(machine -> Boolean.TRUE.equals(machine.cordoned()))
        .map(machine -> cordoned(machine, name.apply(machine.id())))
        .toList();
  }

  private static String cordoned(MachineEntity machine, String name) {
    return "Machine %s is %s.".formatted(name, why(machine));
  }

  private static String why(MachineEntity machine) {
    MaintenanceEntity window = machine.maintenance();
    if (window != null) {
      return maintenance(window) + ": its units stay on it, and no new units come to it";
    }
    DrainEntity drain = machine.drain();
    return drain == null ? "cordoned: no new units come to it" : drained(machine, drain);
  }

  private static String maintenance(MaintenanceEntity window) {
    return "in maintenance until %s, as %s asked"
        .formatted(LocalTimes.of(window.until()), window.by());
  }

  private static String drained(MachineEntity machine, DrainEntity drain) {
    return machine.state().equals("drained")
        ? "drained, as " + drain.by() + " asked: no new units come to it"
        : "being drained, as " + drain.by() + " asked: its units move to other machines";
  }

  /** Gaps in a list of states, a line for each machine that reports nothing of its units. */
  static List<String> unlisted(List<UnreportedEntity> unreported, boolean full) {
    return unreported.stream().map(machine -> unlisted(machine, full)).toList();
  }

  private static String unlisted(UnreportedEntity machine, boolean full) {
    String id = machine.machineID();
    Integer units = machine.units();
    return "Not listed: %s of machine %s, which does not report %s at the moment; see list-machines."
        .formatted(
            units(units),
            MachineNames.shown(id, full),
            units != null && units == 1 ? "it" : "them");
  }

  private static String standing(AbsentMachineEntity machine) {
    MaintenanceEntity window = machine.maintenance();
    if (window != null) {
      return "away, " + maintenance(window) + ": its units stay on it";
    }
    return switch (machine.standing()) {
      case "awaited" -> "awaited: its units stay on it until it reports or is lost";
      case "held" -> "lost: its units stay on it while rescheduling is paused";
      case "lost" -> "lost: its units run elsewhere as soon as a machine takes them";
      case "cordoned" -> "absent and cordoned: no new units come to it when it is back";
      default -> machine.standing();
    };
  }

  private static String units(@Nullable Integer count) {
    int units = count == null ? 0 : count;
    return units == 1 ? "1 unit" : units + " units";
  }
}
