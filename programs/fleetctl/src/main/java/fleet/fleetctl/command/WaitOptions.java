package fleet.fleetctl.command;

import picocli.CommandLine.Option;

/** How long to wait. */
final class WaitOptions {

  @Option(
      names = "--block-attempts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Wait at most N times 2 s; 0 waits without a limit.")
  int blockAttempts;

  @Option(names = "--no-block", description = "Do not wait.")
  boolean noBlock;
}
