package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.wait.DrainWords;
import fleet.fleetctl.wait.OperationMonitor;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Has the units of a machine go elsewhere. */
@Command(
    name = "drain",
    header = "Move the units of a machine to others",
    customSynopsis = "[--max-unavailable=N] [--block-attempts=N | --no-block] MACHINE | --self",
    description = {
      "Cordons the machine. Each unit leaves once there is a place for it elsewhere: it is",
      "stopped here before it starts there. Of the instances of a template, the next one leaves",
      "once the one before is active again. Units without another place stay, and leave as soon",
      "as there is one. Global units stay, and so do units that have ended, since they would run",
      "again elsewhere. Waits until all units have left and are active, and says which stay and",
      "why.",
      "",
      "The drain continues in the cluster if this command is interrupted, and if the leader",
      "changes. Run the command again to follow it. \"fleetctl uncordon\" ends the drain, and moves",
      "nothing back. MACHINE is a hostname, an address, an id or the beginning of an id."
    },
    exitCodeList = {
      "0:all units have left and are active; with --no-block: accepted",
      "1:a unit found no place or failed elsewhere, or fleetd could not be asked",
      "130:the wait was interrupted; the drain continues"
    },
    footer = {
      "fleetctl drain node1",
      "fleetctl drain --self",
      "fleetctl drain --max-unavailable=3 node1"
    })
final class DrainCommand extends MachinesCommand {

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      description = {
        "How many instances of a template may be down at a time, on all machines; default 1, or the",
        "present value if the machine is being drained already."
      })
  @Nullable Integer maxUnavailable;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException {
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
    if (machines.size() + (self ? 1 : 0) > 1) {
      throw CommandException.usage("Error: one machine is drained at a time; cordon takes several");
    }
    FleetClient client = client();
    MachineSelector selector = selector(client);
    String machine = ids(selector).iterator().next();
    String name = selector.name(machine);
    var words = new DrainWords(machine, name);
    boolean already = client.operations().find(words.id()).isPresent();
    Set<String> before = already ? Set.of() : unitsOn(client, machine);
    boolean changed =
        (!already || maxUnavailable != null)
            && client
                .operations()
                .startDrain(machine, Objects.requireNonNullElse(maxUnavailable, 1));
    output()
        .line(
            "Machine "
                + name
                + (changed ? " is now being drained." : " is already being drained."));
    if (wait.noBlock) {
      return ExitCode.OK;
    }
    boolean empty =
        new OperationMonitor(client, output(), words, false, true, wait.blockAttempts)
            .leaving(before, machine)
            .follow();
    return empty ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Set<String> unitsOn(FleetClient client, String machine) throws FleetException {
    return client.statesOn(machine).stream().map(StateEntity::name).collect(Collectors.toSet());
  }
}
