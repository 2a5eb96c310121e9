package fleet.ctl.command;

import picocli.CommandLine.Option;

/** What becomes of a unit file in which something is doubtful. */
final class StrictOptions {

  @Option(
      names = "--strict",
      description = "Refuse what there is a warning about, and create nothing.")
  boolean strict;
}
