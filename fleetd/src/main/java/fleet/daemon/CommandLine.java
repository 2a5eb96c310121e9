package fleet.daemon;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What fleetd was called to do. */
sealed interface CommandLine {
  String CONFIG_EQUALS = "-config=";

  String USAGE =
      """
      Usage: fleetd [-config FILE]

        -config FILE   read this file instead of /etc/fleet/fleet.conf
        -version       print the version
        -help          print this

      All else is set in the file, or as FLEET_<OPTION> in the environment.
      """;

  /** With the file of {@code -config}. */
  record Run(Optional<Path> file) implements CommandLine {}

  record ShowVersion() implements CommandLine {}

  record ShowHelp() implements CommandLine {}

  record Refused(String reason, int exitCode) implements CommandLine {}

  /** Options may have one dash or two, and their value behind a {@code =} or a blank. */
  static CommandLine parse(String... arguments) {
    return parse(Optional.empty(), List.of(arguments));
  }

  private static CommandLine parse(Optional<Path> file, List<String> arguments) {
    if (arguments.isEmpty()) {
      return new Run(file);
    }
    String argument = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    return switch (argument.startsWith("--") ? argument.substring(1) : argument) {
      case "version", "-version" -> new ShowVersion();
      case "-h", "-help" -> new ShowHelp();
      case "-" -> rest.isEmpty() ? new Run(file) : notAnOption();
      case "-config" ->
          rest.isEmpty()
              ? new Refused("fleetd: " + argument + " needs a file", 2)
              : parse(Optional.of(Path.of(rest.getFirst())), rest.subList(1, rest.size()));
      case String option when option.startsWith(CONFIG_EQUALS) ->
          parse(Optional.of(Path.of(option.substring(CONFIG_EQUALS.length()))), rest);
      case String option when option.startsWith("-") ->
          new Refused("fleetd: " + argument + " is not an option of fleetd", 2);
      default -> notAnOption();
    };
  }

  private static Refused notAnOption() {
    return new Refused("fleetd takes no arguments. Did you mean to invoke fleetctl instead?", 1);
  }
}
