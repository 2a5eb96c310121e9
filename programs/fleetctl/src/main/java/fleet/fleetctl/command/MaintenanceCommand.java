package fleet.fleetctl.command;

import fleet.core.machine.Maintenance;
import fleet.entities.AbsentMachineEntity;
import fleet.entities.MaintenanceEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.output.LocalTimes;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Begins and ends the maintenance of machines. */
@Command(
    name = "maintenance",
    header = "Keep units on machines while their fleetd is stopped",
    customSynopsis = {
      "[--for=DURATION] MACHINE... | --self",
      "fleetctl maintenance --end MACHINE... | --self"
    },
    description = {
      "While a machine is in maintenance, its fleetd may be stopped or away: its units run on, and",
      "the cluster does not start them elsewhere. \"systemctl stop fleet\" leaves them running, and",
      "a fleetd that comes back takes them over without a restart. No new units come to the",
      "machine, and changes of its units wait until fleetd is back.",
      "The maintenance ends at its time or by --end. A machine that is away then is lost: its units",
      "start elsewhere, and run twice if they still run there. A machine that dies during its",
      "maintenance keeps its units away until the end; --end moves them at once. Run the command",
      "again to move the end. A machine with on_isolation=stop is refused: it stops its units",
      "itself when its fleetd is away. To move units away first, use drain. MACHINE is a hostname,",
      "an address, an id or the beginning of an id; list-machines shows who is in maintenance."
    },
    exitCodeList = {
      "0:all machines are in maintenance, or in none any more",
      "1:there is no such machine, it was refused, or fleetd could not be asked"
    },
    footer = {
      "fleetctl maintenance --for=1h node1",
      "fleetctl maintenance --self",
      "fleetctl maintenance --end node1"
    })
final class MaintenanceCommand extends MachinesCommand {

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "How long, from now: from 1m to 24h, such as 90m; default 30m.")
  @Nullable Duration time;

  @Option(names = "--end", description = "End the maintenance now.")
  boolean end;

  @Override
  int run() throws CommandException, FleetException {
    if (end && time != null) {
      throw CommandException.usage("Error: --end ends it now: leave out --for");
    }
    if (time != null
        && (time.compareTo(Maintenance.SHORTEST) < 0 || time.compareTo(Maintenance.LONGEST) > 0)) {
      throw CommandException.usage("Error: --for must be from 1m to 24h");
    }
    FleetClient client = client();
    MachineSelector selector = selector(client);
    Set<String> ids = ids(selector);
    Set<String> away = end ? away(client) : Set.of();
    for (String id : ids) {
      String name = selector.name(id);
      output().line(end ? ended(client, selector, id, away.contains(id)) : begun(client, id, name));
    }
    return ExitCode.OK;
  }

  private String begun(FleetClient client, String id, String name) throws FleetException {
    MaintenanceEntity window = client.machines().maintain(id, time);
    return "Machine %s is in maintenance until %s: its units stay on it while its fleetd is away."
        .formatted(name, LocalTimes.of(window.until()));
  }

  private static String ended(FleetClient client, MachineSelector selector, String id, boolean away)
      throws CommandException, FleetException {
    if (client.machines().endMaintenance(id)) {
      String done = "Machine %s is not in maintenance any more.".formatted(selector.name(id));
      return away
          ? done + " It is away: its units start elsewhere, and run twice if it still runs them."
          : done;
    }
    if (!selector.knows(id)) {
      throw CommandException.failed(
          "Error: no machine has the id " + id + "; see: fleetctl list-machines");
    }
    return "Machine %s was in no maintenance.".formatted(selector.name(id));
  }

  private static Set<String> away(FleetClient client) throws FleetException {
    return client.operations().rescheduling().absent().stream()
        .map(AbsentMachineEntity::id)
        .collect(Collectors.toSet());
  }
}
