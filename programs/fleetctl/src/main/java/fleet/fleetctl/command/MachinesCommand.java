package fleet.fleetctl.command;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Parameters;

/** A command for some machines, each named by the beginning of its id. */
abstract class MachinesCommand extends FleetCommand {

  @Parameters(paramLabel = "MACHINE", arity = "0..*", hidden = true)
  List<String> machines = List.of();

  /** The ids of the machines that were named, each once, in that order. */
  final Set<String> ids(FleetClient client) throws CommandException, FleetException {
    if (machines.isEmpty()) {
      throw CommandException.usage("Error: no machines given");
    }
    return ids(client, machines);
  }

  /** The same, for ids from another source. */
  static Set<String> ids(FleetClient client, List<String> machines)
      throws CommandException, FleetException {
    Set<String> known = known(client);
    Set<String> ids = new LinkedHashSet<>();
    for (String given : machines) {
      ids.add(id(given, known, "machines"));
    }
    return ids;
  }

  /** The present machines, and the absent ones that have units. */
  private static Set<String> known(FleetClient client) throws FleetException {
    Set<String> known = new TreeSet<>();
    for (MachineEntity machine : client.machines().list()) {
      known.add(machine.id());
    }
    for (AbsentMachineEntity machine : client.operations().rescheduling().absent()) {
      known.add(machine.id());
    }
    return known;
  }

  /**
   * The id that is meant by its beginning. An unknown one is left to fleetd, which may know more.
   *
   * @param things that have such ids, for messages
   */
  static String id(String given, Collection<String> known, String things) throws CommandException {
    String prefix = given.endsWith("...") ? given.substring(0, given.length() - 3) : given;
    if (known.contains(prefix)) {
      return prefix;
    }
    List<String> meant = known.stream().filter(id -> id.startsWith(prefix)).toList();
    if (meant.size() > 1) {
      throw CommandException.failed(
          "Error: several %s have ids that begin with %s: %s"
              .formatted(things, prefix, String.join(", ", meant)));
    }
    return meant.isEmpty() ? prefix : meant.getFirst();
  }

  /** Prints for each machine what was done. */
  static int cordon(
      CommandEnvironment session, FleetClient client, Set<String> ids, boolean cordoned)
      throws CommandException, FleetException {
    MachineNames names = new MachineNames(client.machines().list());
    Set<String> known = known(client);
    for (String id : ids) {
      boolean changed = client.machines().cordon(id, cordoned);
      if (!changed && !cordoned && !known.contains(id)) {
        // A machine that is gone for good may still be cordoned, and is then unknown otherwise.
        throw CommandException.failed(
            "Error: no machine has the id " + id + "; see: fleetctl list-machines");
      }
      session
          .output()
          .line(
              "Machine %s %s %s."
                  .formatted(
                      names.of(id, false),
                      changed ? "is now" : "was already",
                      cordoned ? "cordoned" : "open to new units"));
    }
    return ExitCode.OK;
  }
}
