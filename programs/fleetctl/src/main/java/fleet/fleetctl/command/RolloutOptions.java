package fleet.fleetctl.command;

import fleet.core.unit.UnitFile;
import fleet.entities.RolloutRequestEntity;
import fleet.fleetctl.client.UnitReader;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  RolloutRequestEntity request(UnitFile file, @Nullable Integer canaries, List<String> except) {
    return UnitReader.rollout(file, maxUnavailable, healthy.toSeconds(), canaries, except);
  }

  void check() throws CommandException {
    EvennessOptions.atLeastOne("--max-unavailable", maxUnavailable);
  }
}
