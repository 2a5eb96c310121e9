package fleet.fleetctl.command;

import fleet.fleetctl.reference.CommandPage;
import fleet.fleetctl.reference.Flag;
import fleet.fleetctl.reference.HelpText;
import fleet.fleetctl.reference.Manual;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The reference of fleetctl, as its commands have it in their annotations. */
public final class Help {

  private Help() {}

  /** All of it. */
  public static Manual manual() {
    return new Manual(
        VersionCommand.read(),
        CommandNames.BY_TOPIC.entrySet().stream()
            .map(topic -> new Manual.Topic(topic.getKey(), pages(topic.getValue())))
            .toList(),
        globals(CommandNames.specOf("version")),
        List.of(
            "Global flags can be set in the environment: FLEETCTL_ENDPOINT for --endpoint, and so on.",
            "Commands can be shortened to an unambiguous prefix; those of fleet 1.0 to what was"
                + " unambiguous there. Other names: "
                + String.join(", ", CommandNames.ALIASES.keySet())
                + ".",
            "UNIT is a name or a file; the default type is .service. Usage errors exit with 2.",
            "Run \"fleetctl help COMMAND\" for the options, exit codes and examples of a command."));
  }

  private static List<CommandPage> pages(List<String> names) {
    return names.stream()
        .map(CommandNames::specOf)
        .filter(spec -> !spec.usageMessage().hidden())
        .map(Help::page)
        .toList();
  }

  /** The help of fleetctl itself, with its commands. */
  static String root() {
    return HelpText.of(manual());
  }

  /** The help of one command. */
  static String of(CommandSpec spec) {
    return HelpText.of(page(spec), globals(spec));
  }

  static CommandPage page(CommandSpec spec) {
    return CommandPage.of(spec, CommandNames.aliases(spec.name()), EnvironmentDefaults::isGlobal);
  }

  private static List<Flag> globals(CommandSpec spec) {
    return CommandPage.flags(spec, EnvironmentDefaults::isGlobal);
  }
}
