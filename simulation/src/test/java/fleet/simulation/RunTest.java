package fleet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.SharedRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RunTest {

  private static final Duration CHAOS = Duration.ofMinutes(3);
  private static final int ALL = 60;
  private static final int SOME = 40;
  private static final int FEW = 15;
  private static final long HOSTILE_SEEDS = 200;

  @TempDir Path directory;

  /** The one of {@code -Dfleet.seed}; else always the same. */
  static LongStream seeds() {
    Long asked = Long.getLong("fleet.seed");
    return asked != null ? LongStream.of(asked) : LongStream.rangeClosed(1, ALL);
  }

  static LongStream someSeeds() {
    return seeds().limit(SOME);
  }

  static LongStream fewSeeds() {
    return seeds().limit(FEW);
  }

  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("seeds")
  void theInvariantsHold(long seed) throws IOException {
    live(seed, run(seed, store -> store, ""));
  }

  /** With so many machines some are left where others vanish together. */
  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("fewSeeds")
  void theInvariantsHoldWithMoreMachines(long seed) throws IOException {
    live(seed, run(seed, 7, store -> store, "more"));
  }

  /** Machines hold streams to the leader, on a network that fails. */
  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("someSeeds")
  void theInvariantsHoldOverRpc(long seed) throws IOException {
    live(seed, run(seed, seed % 5 == 0 ? 7 : 3, Coordination.RPC, store -> store, "rpc"));
  }

  /** As while machines are switched from one way to the other. */
  @ParameterizedTest(name = "-Dfleet.seed={0}")
  @MethodSource("fewSeeds")
  void theInvariantsHoldWithBothWaysInOneCluster(long seed) throws IOException {
    live(seed, run(seed, seed % 5 == 0 ? 7 : 3, Coordination.MIXED, store -> store, "mixed"));
  }

  private static void live(long seed, Run run) throws IOException {
    try {
      assertThat(run.live()).isNotEmpty();
    } catch (RuntimeException e) {
      Path trace =
          Files.writeString(Path.of("target", "simulation-" + seed + ".trace"), run.trace());
      throw new AssertionError(
          "repeat it with -Dfleet.seed=%d; what happened is in %s: %s"
              .formatted(seed, trace.toAbsolutePath(), e.getMessage()),
          e);
    }
  }

  @Test
  void aSeedRepeatsARunExactly() {
    assertThat(run(7, store -> store, "once").live())
        .isEqualTo(run(7, store -> store, "twice").live());
  }

  @Test
  void aSeedRepeatsARunOverRpcExactly() {
    assertThat(run(7, 3, Coordination.RPC, store -> store, "once over rpc").live())
        .isEqualTo(run(7, 3, Coordination.RPC, store -> store, "twice over rpc").live());
  }

  @Test
  void seedsDiffer() {
    assertThat(run(1, store -> store, "one").live())
        .isNotEqualTo(run(2, store -> store, "two").live());
  }

  /** A watchman who has never raised an alarm may be asleep. */
  @ParameterizedTest
  @EnumSource(
      value = Coordination.class,
      names = {"STORE", "RPC"})
  void aLeaderWithoutFencingIsFoundOut(Coordination way) {
    Optional<Violation> found =
        LongStream.rangeClosed(1, HOSTILE_SEEDS)
            .mapToObj(seed -> violationWithoutFencing(seed, way))
            .flatMap(Optional::stream)
            .findFirst();
    assertThat(found)
        .get()
        .extracting(Violation::getMessage)
        .asString()
        .matches("invariant [126]:.*");
  }

  private Optional<Violation> violationWithoutFencing(long seed, Coordination way) {
    try {
      String _ = run(seed, 3, way, UnfencedStore::new, "unfenced-" + way + seed).live();
      return Optional.empty();
    } catch (Violation e) {
      return Optional.of(e);
    }
  }

  private Run run(long seed, UnaryOperator<SharedRegistry> wrap, String name) {
    return run(seed, 3, wrap, name);
  }

  private Run run(long seed, int machines, UnaryOperator<SharedRegistry> wrap, String name) {
    return run(seed, machines, Coordination.STORE, wrap, name);
  }

  private Run run(
      long seed, int machines, Coordination way, UnaryOperator<SharedRegistry> wrap, String name) {
    return new Run(
        seed,
        new World.Settings(
            machines, MachineSettings.USUAL.with(way).ofSeed(seed), directory.resolve(name), wrap),
        CHAOS);
  }
}
