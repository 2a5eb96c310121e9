package fleet.ctl.command;

import picocli.CommandLine.Option;

/** What becomes of units that exist already. */
final class CreateOptions {

  @Option(
      names = "--replace",
      description = "Replace units in the cluster whose local unit file differs.")
  boolean replace;

  @Option(names = "--sign", hidden = true)
  boolean sign;
}
