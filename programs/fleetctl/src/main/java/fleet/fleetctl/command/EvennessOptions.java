package fleet.fleetctl.command;

import fleet.entities.RebalanceRequestEntity;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The bound and the limits of a rebalance. */
final class EvennessOptions {

  @Option(
      names = "--within",
      paramLabel = "N",
      description =
          "How many more units the fullest machine may have than the emptiest; default 1.")
  @Nullable Integer within;

  @Option(
      names = "--moves",
      paramLabel = "N",
      description = "How many units may move; default as many as needed, at most 2000.")
  @Nullable Integer moves;

  void check() throws CommandException {
    atLeastOne("--within", within);
    atLeastOne("--moves", moves);
  }

  static void atLeastOne(String name, @Nullable Integer number) throws CommandException {
    if (number != null && number < 1) {
      throw CommandException.usage("Error: " + name + " must be at least 1, not " + number);
    }
  }

  boolean isGiven() {
    return within != null || moves != null;
  }

  int bound() {
    return Objects.requireNonNullElse(within, 1);
  }

  OptionalInt budget() {
    return moves == null ? OptionalInt.empty() : OptionalInt.of(moves);
  }

  RebalanceRequestEntity wish() {
    return new RebalanceRequestEntity(moves, within);
  }
}
