package fleet.fleetctl.command;

import fleet.fleetctl.client.FleetException;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command with several actions, chosen by the first word. */
abstract class CommandGroup extends FleetCommand {

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  /**
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

  /** Removes a thing by its name; false if there is none. */
  interface Removal {
    boolean of(String name) throws CommandException, FleetException;
  }

  /**
   * Removes all that are named.
   *
   * @param done said of each that was there, as a format; empty to say nothing
   * @param absent said of each other
   * @return the exit code
   */
  final int remove(List<String> names, Removal removal, String done, String absent)
      throws CommandException, FleetException {
    int code = ExitCode.OK;
    for (String name : names) {
      if (!removal.of(name)) {
        output().problem(absent.formatted(name));
        code = ExitCode.FAILED;
      } else if (!done.isEmpty()) {
        output().line(done.formatted(name));
      }
    }
    return code;
  }

  /** Another word came first. */
  final CommandException unknown(String expected) {
    return CommandException.usage(
        "Error: unknown action \"" + words.getFirst() + "\": expect " + expected);
  }
}
