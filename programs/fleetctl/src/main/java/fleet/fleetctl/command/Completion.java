package fleet.fleetctl.command;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The scripts with which shells complete commands and flags. */
public final class Completion {

  private Completion() {}

  /** All commands together, which is more than any run needs. */
  @Command(name = "fleetctl")
  private static final class Root {}

  /** For bash. */
  public static String bash() {
    CommandLine root = new CommandLine(new Root());
    root.getCommandSpec()
        .addMixin("globals", CommandLine.Model.CommandSpec.forAnnotatedObject(new GlobalOptions()));
    for (String name : CommandNames.ALL) {
      root.addSubcommand(
          name,
          CommandNames.commandLine(CommandNames.create(name)),
          CommandNames.aliases(name).toArray(String[]::new));
    }
    return AutoComplete.bash("fleetctl", root);
  }

  /** For zsh, which reads the one for bash. */
  public static String zsh() {
    return "#compdef fleetctl\n" + "autoload -U +X bashcompinit && bashcompinit\n" + bash();
  }
}
