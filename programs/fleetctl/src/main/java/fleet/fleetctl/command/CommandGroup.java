package fleet.fleetctl.command;

import java.util.List;
import picocli.CommandLine.Parameters;

/** A command with several actions, chosen by the first word. */
abstract class CommandGroup extends FleetCommand {

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  /**
   * The action.
   *
   * @param usual the default
   */
  final String action(String usual) {
    return words.isEmpty() ? usual : words.getFirst();
  }

  /**
   * The arguments of the action.
   *
   * @param call the correct call, for people
   */
  final List<String> arguments(int least, int most, String call) throws CommandException {
    List<String> arguments = words.isEmpty() ? words : words.subList(1, words.size());
    if (arguments.size() > most) {
      throw CommandException.usage("Error: unexpected argument: " + arguments.get(most));
    }
    if (arguments.size() < least) {
      throw CommandException.usage("Error: expect fleetctl " + call);
    }
    return arguments;
  }

  /** Another word came first. */
  final CommandException unknown(String expected) {
    return CommandException.usage(
        "Error: unknown action \"" + words.getFirst() + "\": expect " + expected);
  }
}
