package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** How listings look. */
final class ListOptions {

  @Option(
      names = {"-l", "--full", "--l"},
      description = "Show ids and hashes whole.")
  boolean full;

  @Option(names = "--no-legend", description = "Leave out the line with the names of the columns.")
  boolean noLegend;
}
