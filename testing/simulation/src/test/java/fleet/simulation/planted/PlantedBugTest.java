package fleet.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A watchman who has never raised an alarm may be asleep. The run that found a bug last is tried
 * first: a run is another life once the code it lives has changed, and then the next ones follow.
 */
class PlantedBugTest {

  /** The first run that {@code ./dev simulate --planted} found a bug in; run 1 if none is. */
  private static final Map<String, Integer> FOUND_IN =
      Map.ofEntries(
          Map.entry("a leader writes without its token", 40),
          Map.entry("a leader writes under its token alone", 64),
          Map.entry("a machine's units are given away though it is back", 64),
          Map.entry("what has ended is not noted", 190),
          Map.entry("a rollout is never taken back", 12),
          Map.entry("a machine has room for twice as much", 2),
          Map.entry("a new leader takes for lost what it has not heard of yet", 3),
          Map.entry("a new leader takes itself for the one before", 9),
          Map.entry("a leader is certain for ever", 36),
          Map.entry("an answer to an earlier entry counts for the last", 17),
          Map.entry("a command overwrites what others have asked for meanwhile", 42),
          Map.entry("a reader is shown what was a while ago", 43),
          Map.entry("an agent is not told of changes", 24),
          Map.entry("reports get lost", 4),
          Map.entry("a machine that is cut off takes itself for acknowledged", 9),
          Map.entry("entries of an earlier time come again", 5),
          Map.entry("units of a machine that is cut off run on", 3),
          Map.entry("units of a machine that is cut off are stopped too late", 9),
          Map.entry("all boots of a machine look the same", 2),
          Map.entry("a start is told as made and is not", 6),
          Map.entry("a restart leaves what runs", 11),
          Map.entry("a stop is told as done and is not", 23),
          Map.entry("a rollout takes down as many as there are", 6),
          Map.entry("a drain takes down as many as there are", 22),
          Map.entry("a machine is not told of changes", 5));

  static List<PlantedBug> bugs() {
    return PlantedBug.all();
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void isFoundOut(PlantedBug bug) {
    int first = FOUND_IN.getOrDefault(bug.text(), Hunt.FIRST);
    assertThat(Hunt.of(bug, first)).as("in %d runs", Hunt.MOST).isPresent();
  }

  @Test
  void thereAreManyAndEachIsAnother() {
    assertThat(bugs())
        .hasSizeGreaterThanOrEqualTo(20)
        .extracting(PlantedBug::text)
        .doesNotHaveDuplicates();
  }

  @Test
  void onlyBugsThatThereAreWereFound() {
    assertThat(bugs().stream().map(PlantedBug::text).toList()).containsAll(FOUND_IN.keySet());
  }
}
