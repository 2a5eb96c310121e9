package fleet.fleetctl.command;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The limits of rollouts. */
final class RolloutOptions {

  @Option(
      names = "--max-unavailable",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many instances may be down at a time, for any reason; default 1.")
  int maxUnavailable;

  @Option(
      names = "--healthy",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description =
          "How long a unit must be active to count as healthy, such as 30s or 5m; default 10s.")
  Duration healthy = Duration.ZERO;

  void check() throws CommandException {
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
  }
}
