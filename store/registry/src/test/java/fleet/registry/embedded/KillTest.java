package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Entry;
import fleet.registry.Snapshot;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process in the middle of its writes, again and again on the same store. */
class KillTest {

  private static final int ROUNDS = 15;
  private static final long SEED = 2;

  /** About as many as a few commits take. */
  private static final int MOST_SPINS = 50_000;

  @TempDir Path directory;

  /** The last number that each thread was told is durable, or that was found to be. */
  private final Map<Integer, Long> acknowledged = new HashMap<>();

  private long revision;

  @Test
  void whatWasAcknowledgedIsThereAfterEachKillAndNothingIsTorn() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      long before = revision;
      commitAndKill(random.nextInt(400), random.nextInt(MOST_SPINS));
      assertThat(revision).as("acknowledged in round %d", round).isGreaterThan(before);
      assertSurvived(round);
    }
  }

  /** Kills some spins after so many acknowledgements, so that all points of a commit get hit. */
  private void commitAndKill(int acknowledgements, int spins)
      throws IOException, InterruptedException {
    Process process = JavaProcess.start(EndlessCommits.class, directory);
    try (BufferedReader lines = process.inputReader()) {
      int seen = 0;
      boolean killed = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        note(line);
        seen++;
        if (seen > acknowledgements && !killed) {
          killed = true;
          spin(spins);
          process.toHandle().destroyForcibly();
        }
      }
      assertThat(killed)
          .as("the process ended by itself: %s", process.errorReader().lines().toList())
          .isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  /** A line that was cut by the kill tells nothing. */
  private void note(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length == 3 && !parts[2].isEmpty()) {
      revision = Math.max(revision, Long.parseLong(parts[0]));
      acknowledged.merge(Integer.valueOf(parts[1]), Long.parseLong(parts[2]), Math::max);
    }
  }

  private void assertSurvived(int round) {
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      Snapshot found = registry.read("");
      assertThat(found.revision()).as("round %d", round).isGreaterThanOrEqualTo(revision);
      revision = found.revision();
      for (int thread = 0; thread < EndlessCommits.THREADS; thread++) {
        assertWhole(registry.read("thread/" + thread + "/").entries(), thread);
      }
    }
  }

  private void assertWhole(List<Entry> entries, int thread) {
    long told = acknowledged.getOrDefault(thread, 0L);
    if (entries.isEmpty()) {
      assertThat(told).isZero();
      return;
    }
    String first = entries.getFirst().value();
    long number = Long.parseLong(first.substring(0, first.indexOf(' ')));
    assertThat(number).as("thread %d", thread).isBetween(told, told + 1);
    acknowledged.put(thread, number);
    assertThat(entries).hasSize(EndlessCommits.KEYS);
    for (int key = 0; key < EndlessCommits.KEYS; key++) {
      assertThat(entries.get(key).value()).isEqualTo(EndlessCommits.value(number, key));
    }
    assertThat(entries).extracting(Entry::modified).containsOnly(entries.getFirst().modified());
  }
}
