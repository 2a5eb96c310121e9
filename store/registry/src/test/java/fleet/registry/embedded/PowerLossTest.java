package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A power cut while a commit is under way: of what was written since the last forced write, any
 * sectors may have reached the disk, and any not.
 */
class PowerLossTest {

  private static final int SECTOR = 512;
  private static final int CUTS = 30;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatWasAcknowledgedSurvivesAndTheRestIsAllOrNothing(long seed) {
    Random random = new Random(seed);
    Path original = directory.resolve("original");
    Copies acknowledged;
    Copies underWay;
    Snapshot before;
    Snapshot after;
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(original)) {
      // The odd seeds go through a new round of the log, whose end holds frames of the round
      // before.
      commit(registry, random, seed % 2 == 0 ? 30 : 400);
      before = registry.read("");
      acknowledged = Copies.of(original);
      commit(registry, random, 1);
      after = registry.read("");
      underWay = Copies.of(original);
    }
    assertThat(underWay.database()).isEqualTo(acknowledged.database());
    int survivals = 0;
    for (int i = 0; i < CUTS; i++) {
      Copies cut = acknowledged.with(RegistryFiles.LOG, cut(acknowledged, underWay, i, random));
      Snapshot found = reopen(cut, i);
      assertThat(found).as("cut %d", i).isIn(before, after);
      survivals += found.equals(after) ? 1 : 0;
    }
    assertThat(survivals).as("whole by luck").isLessThan(CUTS);
  }

  private Snapshot reopen(Copies cut, int number) {
    Path place = cut.in(directory.resolve("cut" + number));
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(place)) {
      registry.commit(Transaction.when().put("works", "").build());
      registry.commit(Transaction.when().delete("works").build());
      Snapshot found = registry.read("");
      return new Snapshot(found.revision() - 2, found.entries());
    }
  }

  private static void commit(EmbeddedRegistry registry, Random random, int times) {
    for (int i = 0; i < times; i++) {
      Transaction.Builder transaction = Transaction.when();
      int first = random.nextInt(200);
      for (int part = 0; part < 4; part++) {
        transaction.put("key/" + (first + part * 50), "x".repeat(500 + random.nextInt(3_000)));
      }
      registry.commit(transaction.build());
    }
  }

  /** The log with some of what the last commit wrote. */
  private static byte[] cut(Copies old, Copies young, int number, Random random) {
    byte[] log = young.log();
    int begin = Arrays.mismatch(old.log(), log);
    int end = lastChange(old.log(), log);
    int at = begin + random.nextInt(end - begin + 1);
    return switch (number % 3) {
      case 0 -> Arrays.copyOf(log, Math.max(at, old.log().length == log.length ? at : begin));
      case 1 -> withoutSectors(old.log(), log, begin, at, end);
      default -> withoutSectors(old.log(), log, begin, random);
    };
  }

  private static int lastChange(byte[] old, byte[] young) {
    int at = young.length - 1;
    while (at >= 0 && at < old.length && old[at] == young[at]) {
      at--;
    }
    return at;
  }

  /** All that follows a point is as it was before. */
  private static byte[] withoutSectors(byte[] old, byte[] young, int begin, int at, int end) {
    byte[] log = young.clone();
    for (int i = Math.max(begin, at); i <= end; i++) {
      log[i] = i < old.length ? old[i] : 0;
    }
    return log;
  }

  /** Any sector may be as it was before; in the part that the file grew by, zeros. */
  private static byte[] withoutSectors(byte[] old, byte[] young, int begin, Random random) {
    byte[] log = young.clone();
    for (int sector = begin / SECTOR; sector * SECTOR < log.length; sector++) {
      if (random.nextInt(3) == 0) {
        for (int i = sector * SECTOR; i < Math.min((sector + 1) * SECTOR, log.length); i++) {
          log[i] = i < old.length ? old[i] : 0;
        }
      }
    }
    return log;
  }
}
