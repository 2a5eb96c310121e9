package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.unit.UnitProblemException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** Labels machines, removes them from the cluster, and readmits them. */
@Command(
    name = "machines",
    header = "List and label machines, remove them for good, or readmit them",
    customSynopsis = {
      "[list]",
      "fleetctl machines label MACHINE... KEY=VALUE... KEY-...",
      "fleetctl machines remove|readmit MACHINE..."
    },
    description = {
      "list: the same as list-machines, which has options.",
      "label: sets metadata of the machines, and removes what ends in a minus, also if fleet.conf",
      "sets it. It lasts until it is set again. Units whose requirements a machine no longer meets",
      "leave it at once.",
      "remove: the certificate of the machine is no longer accepted, its connections are closed,",
      "and its units start elsewhere. Its own units keep running on it until it is switched off",
      "or they are stopped there: to retire a healthy machine, drain it first. To remove a",
      "server, run this on another server; revoke its access to etcd as well.",
      "readmit: a machine that was removed, or was installed again, may join once within a day,",
      "with any token. \"fleetctl token create --machine=MACHINE\" does the same for one token.",
      "MACHINE is a hostname, an address, an id or the beginning of an id. One that the cluster",
      "has forgotten is named by its whole id."
    },
    exitCodeList = {
      "0:all machines were listed, labelled or removed, or may join again",
      "1:fleetd could not be asked or refused; there is no such machine"
    },
    footer = {
      "fleetctl machines label node1 region=eu old-",
      "fleetctl machines remove node1",
      "fleetctl machines readmit node1"
    })
final class RemoveMachinesCommand extends CommandGroup {

  private static final Set<String> ALIVE = Set.of("active", "activating", "reloading");

  @Override
  int run() throws CommandException, FleetException, UnitProblemException {
    String action = action("list");
    switch (action) {
      case "list" -> {
        List<String> _ = arguments(0, 0, "machines list");
        var list = new ListMachinesCommand();
        list.globals = globals;
        return list.run(session());
      }
      case "label" -> {
        List<String> given = arguments(2, Integer.MAX_VALUE, LabelMachines.CALL);
        LabelMachines label = LabelMachines.of(given);
        output().line(label.apply(client()));
      }
      case "remove", "readmit" -> {
        List<String> named = arguments(1, Integer.MAX_VALUE, "machines " + action + " MACHINE...");
        FleetClient client = client();
        MachineSelector machines = MachineSelector.of(client);
        for (String id : machines.strict().ids(named)) {
          output().line(done(client, action, id, machines.name(id)));
        }
      }
      default -> throw unknown("list, label, remove or readmit");
    }
    return ExitCode.OK;
  }

  private static String done(FleetClient client, String action, String id, String name)
      throws CommandException, FleetException {
    try {
      return action.equals("remove") ? removed(client, id, name) : readmitted(client, id, name);
    } catch (ApiException e) {
      if (e.isNotFound()) {
        throw CommandException.failed(
            "Error: no machine has the id " + id + "; see: fleetctl list-machines");
      }
      throw e;
    }
  }

  private static String removed(FleetClient client, String id, String name) throws FleetException {
    List<String> running = running(client, id);
    if (!client.machines().remove(id)) {
      return "Machine %s is already removed.".formatted(name);
    }
    String done =
        ("Machine %s is removed: its certificate is no longer valid, and its units move. It comes back"
                + " with \"fleetctl machines readmit %s\" and a token.")
            .formatted(name, id);
    return running.isEmpty() ? done : done + "\n" + goingOn(running);
  }

  /** Read before the removal, since afterwards the units are unknown. */
  private static List<String> running(FleetClient client, String id) throws FleetException {
    return client.statesOn(id).stream()
        .filter(state -> ALIVE.contains(state.systemdActiveState()))
        .map(StateEntity::name)
        .sorted()
        .toList();
  }

  private static String goingOn(List<String> units) {
    return "fleet cannot stop the units that still run there: they run twice until you switch that machine off, or run there: systemctl stop "
        + String.join(" ", units);
  }

  private static String readmitted(FleetClient client, String id, String name)
      throws FleetException {
    return "Machine %s may join once, until %s, with a token from \"fleetctl token\"."
        .formatted(name, LocalTimes.of(client.machines().readmit(id)));
  }
}
