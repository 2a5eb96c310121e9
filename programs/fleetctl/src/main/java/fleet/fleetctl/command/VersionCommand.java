package fleet.fleetctl.command;

import picocli.CommandLine.Command;

/** Prints the version of fleetctl. */
@Command(
    name = "version",
    header = "Print the version of fleetctl",
    customSynopsis = "",
    description = {"Does not connect to fleetd."},
    exitCodeList = {"0:always"},
    footer = {"fleetctl version"})
final class VersionCommand extends FleetCommand {
  @Override
  int run() {
    output().line(FleetctlVersion.line());
    return ExitCode.OK;
  }
}
