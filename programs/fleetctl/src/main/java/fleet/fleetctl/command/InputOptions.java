package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** Options for units from standard input. */
final class InputOptions {

  @Option(
      names = "--name",
      paramLabel = "UNIT",
      defaultValue = "",
      description = "The unit whose file is standard input (-), if that names none.")
  String name = "";
}
