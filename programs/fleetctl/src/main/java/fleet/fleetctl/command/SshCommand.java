package fleet.fleetctl.command;

import fleet.entities.MachineEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin TargetOptions target = new TargetOptions();

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
  int run() throws CommandException, FleetException {
    target.check(words);
    FleetClient client = onlooker();
    List<MachineEntity> machines = client.machines().list();
    String id = target.id(session().directory(), client, machines, words);
    SshAccess ssh = new SshAccess(globals, session());
    List<String> flags = forwardAgent ? List.of("-A") : List.of();
    return ssh.run(ssh.line(client, SshAccess.address(machines, id), port, flags, words));
  }
}
