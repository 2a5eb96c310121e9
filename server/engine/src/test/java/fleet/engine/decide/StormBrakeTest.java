package fleet.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.engine.decide.StormBrake.Storm;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StormBrakeTest {

  private static final Duration TTL = Duration.ofSeconds(8);
  private static final Duration PAUSE = Duration.ofMinutes(5);

  @ParameterizedTest(name = "{0} of {1}: {2}")
  @CsvSource({
    // A single machine is never a storm, however small the cluster.
    "1, 1, false",
    "1, 2, false",
    "1, 3, false",
    "1, 5000, false",
    // Two machines are a storm if they are half of all.
    "2, 2, true",
    "2, 3, true",
    "2, 4, true",
    "2, 5, false",
    "2, 10, false",
    // Three or more are a storm if they are more than a fifth of all.
    "3, 5, true",
    "3, 14, true",
    "3, 15, false",
    "4, 20, false",
    "5, 20, true",
    "1000, 5000, false",
    "1001, 5000, true",
    "5000, 5000, true"
  })
  void theUsualStorm(int vanished, int of, boolean storm) {
    StormBrake brake = new StormBrake(StormBrake.Settings.of(TTL));
    for (int i = 0; i < vanished; i++) {
      brake.vanished("m" + i, i);
    }
    assertThat(brake.storm(of - vanished, Set.of(), vanished).isPresent()).isEqualTo(storm);
  }

  /** The next ones are silent already, and not yet for long enough. */
  @ParameterizedTest(name = "{0} and {1} doubtful of {2}: {3}")
  @CsvSource({
    "1, 0, 3, false",
    "1, 1, 3, true",
    "1, 1, 5, false",
    "1, 2, 5, true",
    "1, 2, 15, false",
    "2, 2, 15, true",
  })
  void aStormThreatensWhereItWouldBeOneWithThoseInDoubt(
      int vanished, int doubtful, int of, boolean threatens) {
    StormBrake brake = new StormBrake(StormBrake.Settings.of(TTL));
    for (int i = 0; i < vanished; i++) {
      brake.vanished("m" + i, i);
    }
    Set<String> others = new HashSet<>();
    for (int i = 0; i < doubtful; i++) {
      others.add("d" + i);
    }
    assertThat(brake.threatens(others, of - vanished, Set.of(), vanished)).isEqualTo(threatens);
  }

  @ParameterizedTest(name = "{0} of {1} with {2} % and {3} machines: {4}")
  @CsvSource({
    "2, 2, 100, 3, false",
    "5, 5, 100, 1, false",
    "3, 10, 29, 3, true",
    "3, 10, 30, 3, false",
    "3, 10, 20, 4, false",
    "5, 10, 20, 9, true",
    "1, 10, 0, 1, true",
  })
  void itIsSettable(int vanished, int of, int percent, int machines, boolean storm) {
    StormBrake brake = new StormBrake(new StormBrake.Settings(percent, machines, TTL, PAUSE));
    for (int i = 0; i < vanished; i++) {
      brake.vanished("m" + i, 0);
    }
    assertThat(brake.storm(of - vanished, Set.of(), 0).isPresent()).isEqualTo(storm);
  }

  @Test
  void onlyWhatVanishedLatelyCounts() {
    StormBrake brake = new StormBrake(StormBrake.Settings.of(TTL));
    long late = TTL.toNanos() + 1;
    brake.vanished("m1", 0);
    brake.vanished("m2", late);
    brake.vanished("m3", late);
    assertThat(brake.storm(7, Set.of(), late)).isEmpty();
    brake.vanished("m4", late);
    assertThat(brake.storm(6, Set.of(), late)).contains(new Storm(3, 9));
  }

  @Test
  void whoIsBackHasNotVanishedAndOneThatVanishesAgainCountsOnce() {
    StormBrake brake = new StormBrake(StormBrake.Settings.of(TTL));
    brake.vanished("m1", 0);
    brake.vanished("m2", 0);
    brake.vanished("m2", 1);
    brake.vanished("m3", 2);
    brake.back("m1");
    assertThat(brake.storm(8, Set.of(), 3)).isEmpty();
    brake.vanished("m1", 4);
    assertThat(brake.storm(7, Set.of(), 4)).contains(new Storm(3, 10));
    brake.reset();
    assertThat(brake.storm(7, Set.of(), 4)).isEmpty();
  }

  /** A new leader has heard of few machines yet: three of these are not a fifth of the cluster. */
  @Test
  void machinesThatAreAwaitedCountAsMachines() {
    StormBrake brake = new StormBrake(StormBrake.Settings.of(TTL));
    brake.vanished("m1", 0);
    brake.vanished("m2", 0);
    brake.vanished("m3", 0);
    Set<String> awaited =
        Set.of("m1", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n");
    assertThat(brake.storm(2, awaited, 0)).isEmpty();
    assertThat(brake.storm(2, Set.of("m1", "a"), 0)).contains(new Storm(3, 6));
  }
}
