package fleet.fleetctl.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script with which a shell completes the words of fleetctl. */
@Command(
    name = "completion",
    header = "Print the script for completion in bash, zsh or fish",
    customSynopsis = {"bash|zsh|fish"},
    description = {
      "With the script, TAB completes commands, flags, units, machines, operations, contexts and",
      "settings as the cluster has them, and files. It asks fleetd for at most a second, or the time",
      "in FLEETCTL_COMPLETION_TIMEOUT, and never connects by ssh."
    },
    exitCodeList = {"0:the script was printed"},
    footer = {
      "source <(fleetctl completion bash)",
      "fleetctl completion bash >/etc/bash_completion.d/fleetctl",
      "fleetctl completion zsh >/usr/local/share/zsh/site-functions/_fleetctl",
      "fleetctl completion fish >~/.config/fish/completions/fleetctl.fish"
    })
final class CompletionCommand extends FleetCommand {

  @Parameters(paramLabel = "SHELL", arity = "0..1", hidden = true)
  String shell = "";

  @Override
  int run() throws CommandException {
    if (!Completion.SHELLS.contains(shell)) {
      throw CommandException.usage("Error: expect bash, zsh or fish");
    }
    output().text(Completion.script(shell));
    return ExitCode.OK;
  }
}
