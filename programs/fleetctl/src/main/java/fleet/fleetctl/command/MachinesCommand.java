package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command for some machines, each named as {@link MachineSelector} understands it. */
abstract class MachinesCommand extends FleetCommand {

  @Parameters(paramLabel = "MACHINE", arity = "0..*", hidden = true)
  List<String> machines = List.of();

  @Option(names = "--self", description = "This machine, by its id in /etc/machine-id.")
  boolean self;

  /** Finds the machines that are named; requests nothing if none is. */
  final MachineSelector selector(FleetClient client) throws CommandException, FleetException {
    if (machines.isEmpty() && !self) {
      throw CommandException.usage("Error: no machines given");
    }
    return MachineSelector.of(client);
  }

  /** The ids of the machines that were named, each once, in that order. */
  final Set<String> ids(MachineSelector selector) throws CommandException, FleetException {
    Set<String> ids = new LinkedHashSet<>();
    if (self) {
      ids.add(own(selector));
    }
    ids.addAll(selector.ids(machines));
    return ids;
  }

  private String own(MachineSelector selector) throws CommandException {
    String id = UnitProgram.thisMachine(session());
    if (!selector.knows(id)) {
      throw CommandException.failed(
          "Error: --self: this machine%s is none of the cluster at %s"
              .formatted(id.isEmpty() ? " has no id, and" : ", " + id + ",", client().endpoint()));
    }
    return id;
  }

  /** Prints for each machine what was done. */
  final int cordon(boolean cordoned) throws CommandException, FleetException {
    FleetClient client = client();
    MachineSelector selector = selector(client);
    for (String id : ids(selector)) {
      boolean changed = client.machines().cordon(id, cordoned);
      if (!changed && !cordoned && !selector.knows(id)) {
        // A machine that is gone for good may still be cordoned, and is then unknown otherwise.
        throw CommandException.failed(
            "Error: no machine has the id " + id + "; see: fleetctl list-machines");
      }
      output()
          .line(
              "Machine %s %s %s."
                  .formatted(
                      selector.name(id),
                      changed ? "is now" : "was already",
                      cordoned ? "cordoned" : "open to new units"));
    }
    return ExitCode.OK;
  }
}
