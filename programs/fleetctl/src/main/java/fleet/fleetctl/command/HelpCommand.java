package fleet.fleetctl.command;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Explains fleetctl or a command. */
@Command(
    name = "help",
    header = "Show the commands, or explain one",
    customSynopsis = "[COMMAND]",
    description = {"The same as COMMAND --help."},
    exitCodeList = {"0:the help was shown", "2:there is no such command"},
    footer = {"fleetctl help start"})
final class HelpCommand extends FleetCommand {

  @Parameters(arity = "0..1", hidden = true)
  List<String> topics = new ArrayList<>();

  @Override
  int run() throws CommandException {
    if (topics.isEmpty()) {
      output().text(Help.root());
      return ExitCode.OK;
    }
    try {
      String name = CommandNames.resolve(topics.getFirst());
      output().text(Help.of(CommandNames.specOf(name)));
      return ExitCode.OK;
    } catch (CommandException e) {
      output().text(Help.root());
      throw CommandException.usage("Unknown help topic [`" + topics.getFirst() + "`].");
    }
  }
}
