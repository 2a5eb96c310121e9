package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** How listings look. */
final class ListOptions {

  @Option(
      names = {"-l", "--full", "--l"},
      description = "Do not shorten ids and hashes.")
  boolean full;

  @Option(names = "--no-legend", description = "Print no header.")
  boolean noLegend;
}
