package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** The option that makes an error of each warning about a unit file. */
final class StrictOptions {

  @Option(names = "--strict", description = "Treat warnings as errors, and create nothing.")
  boolean strict;
}
