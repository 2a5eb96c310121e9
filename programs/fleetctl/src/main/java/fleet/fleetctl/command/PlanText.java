package fleet.fleetctl.command;

import fleet.core.operation.Evenness;
import fleet.entities.EvennessEntity;
import fleet.entities.PlanEntity;
import fleet.entities.PlannedChangeEntity;
import fleet.entities.PlannedEvennessEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import java.util.List;

/**
 * Prints a plan, a line for each change.
 *
 * @param full whether ids of machines are shown whole
 */
record PlanText(Output output, FleetClient client, boolean full) {

  /**
   * @param gone units that would not be in the cluster any more
   */
  void tell(PlanEntity plan, List<String> gone) throws FleetException {
    List<PlannedChangeEntity> changes = plan.changes();
    for (String unit : gone) {
      output.line("Unit " + unit + " would be gone");
    }
    if (changes.isEmpty() && !gone.isEmpty()) {
      return;
    }
    if (changes.isEmpty()) {
      output.line("Nothing would change.");
    } else {
      MachineNames machines = new MachineNames(client.machines().list(), output.isTerminal());
      for (PlannedChangeEntity change : changes) {
        output.line("Unit " + change.name() + " " + text(change, machines));
      }
    }
    if (plan.evening() != null) {
      output.line(text(plan.evening(), !changes.isEmpty()));
    }
  }

  private String text(PlannedChangeEntity change, MachineNames machines) {
    String from = machines.of(change.from(), full);
    String to = machines.of(change.to(), full);
    String why = change.reason().isEmpty() ? "" : ": " + LocalTimes.in(change.reason());
    return switch (change.change()) {
      case "placed" -> "would come to " + to + why;
      case "moved" -> "would move from " + from + " to " + to + why;
      case "left" -> "would leave " + from + why;
      case "started" -> "would start on " + to + why;
      case "stopped" -> "would stop on " + to + why;
      case "unplaced" -> "would find no place" + (from.isEmpty() ? "" : " and leave " + from) + why;
      case "stays" -> "would stay on " + from + why;
      default -> change.change() + why;
    };
  }

  private static String text(PlannedEvennessEntity evening, boolean changes) {
    String then = changes ? ", and would have " + text(evening.after()) : "";
    String rest = evening.rest();
    return "Machines have "
        + text(evening.before())
        + then
        + (rest.isEmpty() ? "." : ": " + rest + ".");
  }

  private static String text(EvennessEntity evenness) {
    return new Evenness(evenness.least(), evenness.most()).text();
  }
}
