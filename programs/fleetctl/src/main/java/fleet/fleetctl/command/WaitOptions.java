package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** How long to wait. */
final class WaitOptions {

  @Option(
      names = "--block-attempts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Wait about N times 2 s at most; 0 waits for as long as it takes.")
  int blockAttempts;

  @Option(names = "--no-block", description = "Do not wait.")
  boolean noBlock;
}
