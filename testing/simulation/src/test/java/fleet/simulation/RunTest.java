package fleet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten simulated minutes each; every fifth seed has seven machines, the others have three. */
class RunTest {

  /** The one of {@code -Dfleet.seed}; else always the same, and others for each way. */
  private static LongStream seeds(long first, int count) {
    Long asked = Long.getLong("fleet.seed");
    return asked != null ? LongStream.of(asked) : LongStream.range(first, first + count);
  }

  static LongStream storeSeeds() {
    return seeds(1, 24);
  }

  static LongStream rpcSeeds() {
    return seeds(1_001, 24);
  }

  static LongStream mixedSeeds() {
    return seeds(2_001, 24);
  }

  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("storeSeeds")
  void theInvariantsHold(long seed) throws IOException {
    live(seed, Coordination.STORE);
  }

  /** Machines hold streams to the leader, on a network that fails. */
  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("rpcSeeds")
  void theInvariantsHoldOverRpc(long seed) throws IOException {
    live(seed, Coordination.RPC);
  }

  /** As while machines are switched from one way to the other. */
  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("mixedSeeds")
  void theInvariantsHoldWithBothWaysInOneCluster(long seed) throws IOException {
    live(seed, Coordination.MIXED);
  }

  private static void live(long seed, Coordination coordination) throws IOException {
    Lives.End end = Lives.asShipped(seed, coordination).live();
    if (!end.isGood()) {
      String name =
          "simulation-%d-%s.trace".formatted(seed, coordination.name().toLowerCase(Locale.ROOT));
      Path trace = Files.writeString(Path.of("target", name), end.trace());
      throw new AssertionError(
          "./dev simulate %d 1 %s tells it shortly; what happened is in %s: %s"
              .formatted(
                  seed,
                  coordination.name().toLowerCase(Locale.ROOT),
                  trace.toAbsolutePath(),
                  end.text()),
          end.fault().orElseThrow());
    }
  }

  @Test
  void aSeedRepeatsARunExactly() {
    Lives lives = Lives.asShipped(7, Coordination.MIXED);
    assertThat(lives.live().text()).isEqualTo(lives.live().text());
  }

  @Test
  void seedsDiffer() {
    assertThat(Lives.asShipped(1, Coordination.STORE).live().text())
        .isNotEqualTo(Lives.asShipped(2, Coordination.STORE).live().text());
  }
}
