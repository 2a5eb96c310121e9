package fleet.fleetctl.command;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the creation of units, and for units that exist already. */
final class CreateOptions {

  @Option(
      names = "--replace",
      description = "Replace units in the cluster whose local unit file differs.")
  boolean replace;

  @Mixin StrictOptions checks = new StrictOptions();

  @Option(names = "--sign", hidden = true)
  boolean sign;
}
