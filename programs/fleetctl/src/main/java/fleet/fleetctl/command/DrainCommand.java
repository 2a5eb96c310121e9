package fleet.fleetctl.command;

import fleet.entities.StateEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineNames;
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
    customSynopsis = "[--max-unavailable=N] [--block-attempts=N | --no-block] MACHINE",
    description = {
      "Cordons the machine, and has each unit leave it once there is a place for it elsewhere: it is",
      "stopped here before it starts there. Of the instances of a template the next one leaves once",
      "the one before is active again. Units that find no other place stay, and leave as soon as there",
      "is one. Units that have ended stay, since elsewhere they would run again, and so do global",
      "units. Waits until all have left and are active, and says what stays and why.",
      "",
      "Drains go on in the cluster, whoever leads it: also when this command is interrupted. Run it",
      "again to follow; \"fleetctl uncordon\" ends the drain, and moves nothing back. MACHINE is an id",
      "or the beginning of one."
    },
    exitCodeList = {
      "0:all units have left and are active, or are to leave (--no-block)",
      "1:a unit stays as there is no place for it, or failed elsewhere; or fleetd could not be asked",
      "130:the wait was interrupted; the drain goes on"
    },
    footer = {"fleetctl drain 113f16a7", "fleetctl drain --max-unavailable=3 113f16a7"})
final class DrainCommand extends MachinesCommand {

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      description = {
        "How many instances of a template may be down at a time, wherever they are; 1, or as it is",
        "where the machine is being drained already."
      })
  @Nullable Integer maxUnavailable;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(Session session) throws CommandException, FleetException {
    if (maxUnavailable != null && maxUnavailable < 1) {
      throw CommandException.usage(
          "Error: --max-unavailable must be at least 1, not " + maxUnavailable);
    }
    if (machines.size() > 1) {
      throw CommandException.usage("Error: one machine is drained at a time; cordon takes several");
    }
    FleetClient client = client(session);
    Set<String> ids = ids(client);
    String machine = ids.iterator().next();
    String name = new MachineNames(client.machines().list()).of(machine, false);
    var words = new DrainWords(machine, name);
    boolean already = client.operations().find(words.id()).isPresent();
    Set<String> before = already ? Set.of() : unitsOn(client, machine);
    boolean changed =
        (!already || maxUnavailable != null)
            && client
                .operations()
                .startDrain(machine, Objects.requireNonNullElse(maxUnavailable, 1));
    session
        .output()
        .line(
            "Machine "
                + name
                + (changed ? " is now being drained." : " is being drained already."));
    if (wait.noBlock) {
      return ExitCode.OK;
    }
    boolean empty =
        new OperationMonitor(client, session.output(), words, false, true, wait.blockAttempts)
            .leaving(before, machine)
            .follow();
    return empty ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Set<String> unitsOn(FleetClient client, String machine) throws FleetException {
    return client.statesOn(machine).stream().map(StateEntity::name).collect(Collectors.toSet());
  }
}
