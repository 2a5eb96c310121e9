package fleet.fleetctl.command;

import fleet.core.question.TerminalWindow;
import fleet.entities.ExecEntity;
import fleet.entities.ExecTerminalEntity;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.exec.LocalTerminal;
import fleet.fleetctl.exec.RemoteCommand;
import fleet.fleetctl.output.Terminals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command on a machine, over the connection to the cluster. */
@Command(
    name = "exec",
    header = "Run a command on a machine, without ssh",
    customSynopsis = "[-T] [--machine=MACHINE|--unit=UNIT|MACHINE|UNIT] -- COMMAND...",
    description = {
      "Runs a command as root on a machine, or on the machine of a unit, over the connection to the",
      "cluster: neither sshd nor a key is needed, only the role admin for that machine. On a",
      "terminal the command gets one as well; otherwise its input, output and errors are kept",
      "apart, and come as they are. If fleetctl ends, the command is stopped. The audit log names",
      "who ran what. Write -- before a command that has flags."
    },
    exitCodeList = {
      "0:the command ended well",
      "255:there is no such machine, fleetd refused, or the connection broke off;\n"
          + "other codes are those of the command, 128+N for signal N"
    },
    footer = {
      "fleetctl exec node1 -- uptime -p",
      "fleetctl exec web@1 -- bash",
      "fleetctl exec node1 -- tar -C /etc -c fleet > fleet.tar"
    })
final class ExecCommand extends FleetCommand {

  /** As ssh has it. */
  private static final int BROKEN = 255;

  private static final String USUAL_TERMINAL = "xterm";

  @Option(
      names = {"-T", "--no-terminal"},
      description = "No terminal for the command, even if fleetctl has one.")
  boolean noTerminal;

  @Mixin TargetOptions target = new TargetOptions();

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = new ArrayList<>();

  @Override
  int run() throws CommandException {
    boolean named = !target.machine.isEmpty() || !target.unit.isEmpty();
    if (words.size() < (named ? 1 : 2)) {
      throw CommandException.usage("Error: name a machine or a unit, and a command to run there");
    }
    try {
      target.check(words);
      FleetClient client = client();
      String machine = target.id(session().directory(), client, client.machines().list(), words);
      return run(client, machine);
    } catch (CommandException | FleetException e) {
      return broken(String.valueOf(e.getMessage()));
    }
  }

  private int run(FleetClient client, String machine) throws FleetException {
    boolean terminal = !noTerminal && Terminals.isTerminal(0) && output().isTerminal();
    ExecEntity asked = new ExecEntity(List.copyOf(words), terminal ? terminal() : null);
    try (RemoteCommand command = RemoteCommand.run(client.exec(), machine, asked)) {
      return terminal ? onTerminal(command) : piped(command);
    } catch (IOException e) {
      return broken("the command broke off, and is stopped there: " + e.getMessage());
    }
  }

  private ExecTerminalEntity terminal() {
    TerminalWindow window = LocalTerminal.window();
    String type = session().environment().getOrDefault("TERM", USUAL_TERMINAL);
    return new ExecTerminalEntity(type, window.rows(), window.columns());
  }

  private int onTerminal(RemoteCommand command) throws IOException {
    try (LocalTerminal terminal = LocalTerminal.raw()) {
      terminal.onResize(command::resize);
      return piped(command);
    }
  }

  private int piped(RemoteCommand command) throws IOException {
    command.sendInput(session().input());
    return command.copyTo(output());
  }

  private int broken(String why) {
    output().problem("Error: " + why);
    return BROKEN;
  }
}
