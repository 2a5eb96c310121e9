package fleet.fleetctl.command;

import fleet.entities.OperationEntity;
import fleet.entities.StepEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import java.util.List;
import java.util.Locale;

/** Operations in words. */
final class OperationText {

  private OperationText() {}

  /** A line for each operation of a kind. */
  static int list(Output output, FleetClient client, String kind) throws FleetException {
    List<OperationEntity> found =
        client.operations().list().stream().filter(one -> kind.equals(one.kind())).toList();
    if (found.isEmpty()) {
      output.line("There is no " + kind + ".");
    }
    MachineNames machines = new MachineNames(client.machines().list(), output.isTerminal());
    found.forEach(operation -> output.line(machines.in(line(operation))));
    return ExitCode.OK;
  }

  /** An operation and its steps. */
  static int show(Output output, FleetClient client, String id)
      throws CommandException, FleetException {
    OperationEntity operation =
        client
            .operations()
            .find(id)
            .orElseThrow(() ->
                CommandException.failed(
                    "Error: there is no " + name(id) + "; see: fleetctl operations --all"));
    MachineNames machines = new MachineNames(client.machines().list(), output.isTerminal());
    output.line(machines.in(line(operation)));
    if (!operation.waitsFor().isEmpty()) {
      output.line(machines.in("It waits: " + operation.waitsFor()));
    }
    for (StepEntity step : operation.steps()) {
      output.line(step(step, machines));
    }
    return ExitCode.OK;
  }

  private static String name(String id) {
    int dash = id.indexOf('-');
    return dash < 0 ? "operation " + id : id.substring(0, dash) + " of " + id.substring(dash + 1);
  }

  private static String line(OperationEntity operation) {
    String kind = operation.kind();
    String subject = operation.subject();
    String what =
        subject.isEmpty() ? "" : (kind.equals("drain") ? " of machine " : " of ") + subject;
    String why = operation.reason();
    return "%s%s%s, begun by %s at %s, %s%s%s."
        .formatted(
            kind.substring(0, 1).toUpperCase(Locale.ROOT),
            kind.substring(1),
            what,
            operation.by(),
            LocalTimes.of(operation.started()),
            stage(operation.stage()),
            why.isEmpty() ? "" : ": " + why,
            Boolean.TRUE.equals(operation.paused()) ? "; it is paused" : "");
  }

  private static String stage(String stage) {
    return switch (stage) {
      case "forward" -> "is under way";
      case "back" -> "is being reverted";
      case "stopping" -> "is being cancelled";
      case "done" -> "is done";
      case "undone" -> "was reverted";
      case "cancelled" -> "was cancelled";
      default -> stage;
    };
  }

  private static String step(StepEntity step, MachineNames machines) {
    String from = step.from();
    String to = step.to();
    String where =
        (from.isEmpty() ? "" : " from " + machines.of(from, false))
            + (to.isEmpty() ? "" : " to " + machines.of(to, false));
    String detail = machines.in(step.detail());
    String separator = where.isEmpty() || detail.isEmpty() ? "" : ":";
    return "  %-8s %s%s%s %s"
        .formatted(step.standing(), step.unit(), where, separator, detail)
        .stripTrailing();
  }
}
