package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damaged files are refused and left alone, or nothing of what they held is missing. */
class DamageTest {

  private static final int FLIPS = 150;

  @TempDir Path directory;
  private Copies killed = new Copies(Map.of());
  private Snapshot held = new Snapshot(0, List.of());
  private int opened;

  /** A store of which some is in the database, and some in the log alone. */
  @BeforeEach
  void makeStore() {
    Path original = directory.resolve("original");
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(original)) {
      commit(registry, 0, 60);
    }
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(original)) {
      commit(registry, 60, 75);
      held = registry.read("");
      killed = Copies.of(original);
    }
  }

  private static void commit(EmbeddedRegistry registry, int from, int to) {
    for (int i = from; i < to; i++) {
      Transaction.Builder transaction = Transaction.when();
      for (int part = 0; part < 3; part++) {
        transaction.put("key/%d/%d".formatted(i % 40, part), ("value " + i).repeat(60));
      }
      registry.commit(transaction.build());
    }
  }

  private Snapshot open(Copies copies) {
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(place(copies))) {
      return registry.read("");
    }
  }

  private Path place(Copies copies) {
    return copies.in(directory.resolve("copy" + opened++));
  }

  private void assertRefused(Copies copies, String what) {
    Path place = place(copies);
    assertThatThrownBy(() -> EmbeddedRegistry.open(place))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining(place.toString())
        .hasMessageContaining(what)
        .hasMessageFindingMatch("restore|use the fleetd")
        .message()
        .doesNotContain("\n");
    assertUntouched(copies, place);
  }

  private static void assertUntouched(Copies copies, Path place) {
    Copies now = Copies.of(place);
    copies
        .files()
        .forEach((name, bytes) -> {
          if (!name.equals(RegistryFiles.LOCK)) {
            assertThat(now.get(name)).as(name).isEqualTo(bytes);
          }
        });
  }

  @Test
  void whatAKilledProcessLeavesIsWhole() {
    assertThat(killed.log()).hasSizeGreaterThan(100_000);
    assertThat(open(killed)).isEqualTo(held);
  }

  @ParameterizedTest
  @CsvSource({"registry.db, 1", "registry.db, 2", "registry.db-wal, 3", "registry.db-wal, 4"})
  void aFlippedBitAnywhereIsRefusedOrHarmless(String file, long seed) {
    Random random = new Random(seed);
    int refused = 0;
    for (int i = 0; i < FLIPS; i++) {
      int offset = random.nextInt(killed.get(file).length);
      refused += refusedOrWhole(killed.flipped(file, offset, 1 << random.nextInt(8)), offset);
    }
    assertThat(refused).isGreaterThan(FLIPS / 4);
  }

  @Test
  void aFlippedBitInAnyByteOfTheHeadersIsRefusedOrHarmless() {
    for (int offset = 0; offset < 100; offset++) {
      refusedOrWhole(killed.flipped(RegistryFiles.DATABASE, offset, 0x41), offset);
    }
    for (int offset = 0; offset < 56; offset++) {
      refusedOrWhole(killed.flipped(RegistryFiles.LOG, offset, 0x41), offset);
    }
  }

  private int refusedOrWhole(Copies damaged, int offset) {
    Path place = place(damaged);
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(place)) {
      assertThat(registry.read("")).as("after a flip at %d", offset).isEqualTo(held);
      return 0;
    } catch (RegistryException e) {
      assertThat(e).hasMessageContaining(place.toString());
      assertUntouched(damaged, place);
      return 1;
    }
  }

  @Test
  void damageInTheMiddleOfTheLogIsRefusedWhateverWasAcknowledged() {
    int middle = killed.log().length / 2;
    Copies damaged =
        killed.flipped(RegistryFiles.LOG, middle, 1).without(RegistryFiles.ACKNOWLEDGED);
    assertRefused(damaged, "does not match its checksum");
    assertRefused(
        killed.flipped(RegistryFiles.LOG, 9, 1).without(RegistryFiles.ACKNOWLEDGED),
        "its header does not match its checksum");
  }

  @Test
  void anAcknowledgedCommitThatIsMissingIsRefused() {
    byte[] log = killed.log();
    assertRefused(
        killed.with(RegistryFiles.LOG, Arrays.copyOf(log, log.length - 1)), "was acknowledged");
    assertRefused(killed.flipped(RegistryFiles.LOG, log.length - 1, 1), "was acknowledged");
    assertRefused(killed.without(RegistryFiles.LOG), "was acknowledged");
  }

  @Test
  void theOperatorCanChooseToGoOnWithWhatIsLeft() {
    Copies left = killed.without(RegistryFiles.LOG).without(RegistryFiles.ACKNOWLEDGED);
    assertThat(open(left).revision()).isLessThan(held.revision());
  }

  @Test
  void aDatabaseThatIsEmptyCutOffOrGarbageIsRefused() {
    byte[] database = killed.database();
    String name = RegistryFiles.DATABASE;
    assertRefused(killed.with(name, new byte[0]), "is empty");
    assertRefused(killed.with(name, Arrays.copyOf(database, 50)), "is cut off");
    assertRefused(killed.with(name, Arrays.copyOf(database, 8192)), "is damaged");
    byte[] garbage = database.clone();
    new Random(1).nextBytes(garbage);
    assertRefused(killed.with(name, garbage), "not an SQLite database");
    assertRefused(
        killed.with(name, "hello".repeat(100).getBytes(StandardCharsets.US_ASCII)),
        "not an SQLite database");
  }

  @Test
  void aDatabaseCutOffAfterACleanEndIsRefused() {
    Copies clean = Copies.of(directory.resolve("original"));
    byte[] database = clean.database();
    assertRefused(
        clean.with(RegistryFiles.DATABASE, Arrays.copyOf(database, database.length - 4096)),
        "is cut off");
  }

  @Test
  void anOlderDatabaseInPlaceOfTheNewestIsRefused() {
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(place(killed))) {
      commit(registry, 75, 80);
    }
    Copies newer = Copies.of(directory.resolve("copy0"));
    byte[] older = Copies.of(directory.resolve("original")).database();
    assertRefused(newer.with(RegistryFiles.DATABASE, older), "was acknowledged");
  }

  @Test
  void aMissingDatabaseIsNotTakenForANewOne() {
    Copies gone = killed.without(RegistryFiles.DATABASE);
    assertRefused(gone, "is gone");
    assertRefused(gone.without(RegistryFiles.LOG), "is gone");
    assertRefused(gone.without(RegistryFiles.STORE_ID), "is gone");
    assertRefused(gone.without(RegistryFiles.STORE_ID).without(RegistryFiles.LOG), "is gone");
  }

  @Test
  void aLostNameOfTheStoreIsWrittenAgain() throws IOException {
    Path place = place(killed.without(RegistryFiles.STORE_ID));
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(place)) {
      assertThat(Files.readString(place.resolve(RegistryFiles.STORE_ID)).strip())
          .isEqualTo(registry.storeId());
    }
  }

  @Test
  void theDatabaseOfAnotherStoreIsRefused() {
    Path other = directory.resolve("other");
    EmbeddedRegistry.open(other).close();
    assertRefused(
        Copies.of(directory.resolve("original"))
            .with(RegistryFiles.DATABASE, Copies.of(other).database()),
        "store-id names");
  }

  @Test
  void aDamagedNoteOfWhatWasAcknowledgedIsRefused() {
    assertRefused(killed.with(RegistryFiles.ACKNOWLEDGED, new byte[0]), RegistryFiles.ACKNOWLEDGED);
    assertRefused(killed.flipped(RegistryFiles.ACKNOWLEDGED, 18, 1), RegistryFiles.ACKNOWLEDGED);
  }

  @Test
  void anotherProgramsDatabaseIsRefused() throws Exception {
    Path foreign = directory.resolve("foreign.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + foreign);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (x)");
    }
    assertRefused(
        new Copies(Map.of(RegistryFiles.DATABASE, Files.readAllBytes(foreign))),
        "another program's SQLite database");
  }

  @Test
  void aNewerFormatIsRefused() {
    byte[] newer = killed.database().clone();
    ByteBuffer.wrap(newer).putInt(60, Database.FORMAT + 1);
    assertRefused(killed.with(RegistryFiles.DATABASE, newer), "has format 2");
  }

  @Test
  void aRowThatVanishedOrChangedBehindFleetsBackIsRefused() throws Exception {
    for (String meddling :
        new String[] {
          "DELETE FROM entries WHERE key = 'key/1/1'",
          "UPDATE entries SET value = 'x' WHERE key = 'key/1/1'",
          "UPDATE entries SET modified = modified + 1 WHERE key = 'key/1/1'",
          "UPDATE store SET revision = revision + 1",
          "DELETE FROM store"
        }) {
      Path place = place(Copies.of(directory.resolve("original")));
      try (Connection connection =
              DriverManager.getConnection("jdbc:sqlite:" + place.resolve(RegistryFiles.DATABASE));
          Statement statement = connection.createStatement()) {
        statement.execute(meddling);
      }
      assertThat(catchThrowable(() -> EmbeddedRegistry.open(place)))
          .as(meddling)
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining("is damaged");
    }
  }
}
