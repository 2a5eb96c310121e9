package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.client.MachineSelector;
import fleet.fleetctl.client.UnitReader;
import fleet.fleetctl.client.UnknownMachineException;
import fleet.fleetctl.unit.UnitArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Opens a shell on a machine, or runs a command there. */
@Command(
    name = "ssh",
    header = "Open a shell on a machine, or run a command there",
    customSynopsis =
        "[-A] [--ssh-port=PORT] [--machine=MACHINE|--unit=UNIT|MACHINE|UNIT] [--] [COMMAND...]",
    description = {
      "Connects with a machine, or with the machine of a unit, by the ssh of this system, with its",
      "keys, agent and configuration; through the host of --tunnel or of an endpoint ssh://, if",
      "there is one. Write -- before a command that has flags."
    },
    exitCodeList = {
      "0:the shell or the command ended well",
      "1:there is no such machine or unit, or fleetd could not be asked",
      "255:ssh failed; other codes are those of the command"
    },
    footer = {
      "fleetctl ssh node1",
      "fleetctl ssh --unit web@1 -- uptime -p",
      "fleetctl --tunnel bastion.example.com ssh web.service"
    })
final class SshCommand extends FleetCommand {

  private static final String UNABLE = "Unable to proceed: ";

  @Option(
      names = "--machine",
      paramLabel = "MACHINE",
      defaultValue = "",
      description = "The machine: its hostname, id, address or the beginning of its id.")
  String machine = "";

  @Option(
      names = "--unit",
      paramLabel = "UNIT",
      defaultValue = "",
      description = "The machine that this unit is on.")
  String unit = "";

  @Option(
      names = {"-A", "--forward-agent", "--A"},
      description = "Lend the ssh-agent to the machine: its root can use your keys meanwhile.")
  boolean forwardAgent;

  @Option(
      names = "--ssh-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port of sshd there. 0: that of ssh's configuration.")
  int port;

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  public int run(CommandEnvironment session) throws CommandException, FleetException {
    if (!machine.isEmpty() && !unit.isEmpty()) {
      throw CommandException.failed(
          "Both machine and unit flags provided, please specify only one.");
    }
    if (machine.isEmpty() && unit.isEmpty() && words.isEmpty()) {
      throw CommandException.failed(UNABLE + "one machine or unit must be provided");
    }
    FleetClient client = onlooker(session);
    List<MachineEntity> machines = client.machines().list();
    String id = target(session, client, new MachineSelector(machines));
    SshAccess ssh = new SshAccess(globals, session);
    List<String> flags = forwardAgent ? List.of("-A") : List.of();
    return ssh.run(ssh.line(client, SshAccess.address(machines, id), port, flags, words));
  }

  /** Takes the first word as well, if no flag names the target. */
  private String target(CommandEnvironment session, FleetClient client, MachineSelector machines)
      throws CommandException, FleetException {
    if (!machine.isEmpty()) {
      return byName(machines, machine);
    }
    if (!unit.isEmpty()) {
      String name = UnitArgument.of(unit, session.directory()).name();
      return placed(client.unit(name).orElseThrow(() -> unable("unit does not exist: " + name)));
    }
    String word = words.removeFirst();
    Optional<String> having =
        client
            .unit(UnitArgument.of(word, session.directory()).name())
            .map(UnitEntity::machineID)
            .filter(id -> !id.isEmpty());
    return either(machines, word, having);
  }

  private static String either(MachineSelector machines, String word, Optional<String> having)
      throws CommandException {
    Optional<String> named;
    String why = "";
    try {
      named = Optional.of(machines.id(word)).filter(machines::knows);
    } catch (UnknownMachineException e) {
      named = Optional.empty();
      why = ": " + e.getMessage();
    }
    if (named.isPresent() && having.isPresent()) {
      throw unable(
          ("ambiguous argument, both machine and unit found for `%s`.\n"
                  + "Please use flag `--machine` or `--unit` to refine the search")
              .formatted(word));
    }
    if (named.isEmpty() && having.isEmpty()) {
      throw unable("could not find matching unit or machine" + why);
    }
    return named.or(() -> having).orElseThrow();
  }

  private static String byName(MachineSelector machines, String word) throws CommandException {
    try {
      return machines.id(word);
    } catch (UnknownMachineException e) {
      throw unable(String.valueOf(e.getMessage()));
    }
  }

  private static String placed(UnitEntity unit) throws CommandException {
    if (UnitReader.isGlobal(unit)) {
      throw unable("global units unsupported: choose one of its machines by --machine");
    }
    if (unit.machineID().isEmpty()) {
      throw unable(StatusCommand.notLoaded(unit.name(), unit));
    }
    return unit.machineID();
  }

  private static CommandException unable(String why) {
    return CommandException.failed(UNABLE + why);
  }
}
