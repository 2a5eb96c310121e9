package fleet.fleetctl.command;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Refuses an option in place of another option's value, as in {@code --sort --failed}. A value
 * behind an equals sign is never one, whatever it looks like.
 */
final class MissingValues {

  private MissingValues() {}

  /**
   * Looks at the arguments of a command.
   *
   * @throws MissingParameterException if the value of an option is another option
   */
  static void check(CommandLine line, List<String> arguments) {
    Map<String, OptionSpec> options = line.getCommandSpec().optionsMap();
    for (int i = 0; i + 1 < arguments.size() && !arguments.get(i).equals("--"); i++) {
      String argument = arguments.get(i);
      OptionSpec option = options.get(argument);
      if (option != null && option.arity().min() > 0) {
        i++;
        refuseOption(line, option, argument, arguments.get(i));
      }
    }
  }

  private static void refuseOption(CommandLine line, OptionSpec option, String name, String value) {
    if (line.getCommandSpec().optionsMap().containsKey(value.split("=", 2)[0])) {
      throw new MissingParameterException(
          line, option, "Expected parameter for option '%s' but found '%s'".formatted(name, value));
    }
  }
}
