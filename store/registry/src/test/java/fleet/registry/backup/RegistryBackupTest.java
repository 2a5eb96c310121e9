package fleet.registry.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.backup.InvalidBackupException;
import fleet.core.machine.Role;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.IdentityRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryBackupTest {

  private static final int UNITS = 300;
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-27T08:00:00.5Z"), ZoneOffset.UTC);

  private static final Duration RENEWAL = Duration.ofDays(15);
  private static final String UNIT =
      new UnitRecord(
              new Incarnation("i"), "s", "h", DesiredState.LAUNCHED, 3, "user root", Instant.EPOCH)
          .json();

  @TempDir Path directory;

  private EmbeddedRegistry registry;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory.resolve("from"));
    put(Keys.AUTHORITY, "{\"sealed\":\"ä\\n\"}");
    put(Keys.MACHINES + "m1", "here now");
    for (int i = 0; i < UNITS; i++) {
      put(Keys.UNITS + "u" + i + ".service", "unit " + i);
    }
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private void put(String key, String value) {
    registry.commit(Transaction.when().put(key, value).build());
  }

  private static Map<String, String> all(Registry of) {
    return of.read("").entries().stream().collect(Collectors.toMap(Entry::key, Entry::value));
  }

  private String written() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RegistryBackup.of(registry, CLOCK).writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static RegistryBackup read(String text) throws IOException, InvalidBackupException {
    return RegistryBackup.read(new BufferedReader(new StringReader(text)));
  }

  @Test
  void whatLastsIsRestoredAndWhatIsOfTheMomentIsNot() throws Exception {
    RegistryBackup backup = read(written());
    assertThat(backup.header().time()).isEqualTo("2026-11-27T08:00:00Z");
    assertThat(backup.header().revision()).isEqualTo(UNITS + 2);
    assertThat(backup.count(Keys.UNITS)).isEqualTo(UNITS);
    Map<String, String> expected = all(registry);
    expected.remove(Keys.MACHINES + "m1");
    try (EmbeddedRegistry other = EmbeddedRegistry.open(directory.resolve("to"))) {
      backup.restore(other, CLOCK, RENEWAL);
      assertThat(all(other)).isEqualTo(expected);
      assertThat(other.storeId()).isNotEqualTo(registry.storeId());
    }
  }

  /** The units were started between the backup and its restore, and again before the next one. */
  @Test
  void aStartAfterARestoreHasACounterThatNoMachineHasHad() throws Exception {
    String key = Keys.UNITS + "web.service";
    put(key, UNIT);
    RegistryBackup backup = read(written());
    UnitRecord since = started(started(UnitRecord.of(new Entry(key, UNIT, 1, 0))));
    UnitRecord first = restored(backup, "first", CLOCK, key);
    assertThat(first.restartCounter()).isEqualTo(3);
    assertThat(started(first).restartCounter()).isGreaterThan(since.restartCounter());
    UnitRecord second = restored(backup, "second", Clock.offset(CLOCK, Duration.ofMinutes(1)), key);
    assertThat(started(second).restartCounter())
        .isGreaterThan(started(started(first)).restartCounter());
  }

  private static UnitRecord started(UnitRecord unit) {
    return unit.withAnotherStart("user root");
  }

  private UnitRecord restored(RegistryBackup backup, String into, Clock clock, String key) {
    try (EmbeddedRegistry other = EmbeddedRegistry.open(directory.resolve(into))) {
      backup.restore(other, clock, RENEWAL);
      return UnitRecord.of(other.get(key).orElseThrow());
    }
  }

  /** Otherwise those that have another key by now would be refused, and their units move. */
  @Test
  void aMachineWhoseCertificateWasDueForRenewalIsNotBoundToItsFormerKey() throws Exception {
    IdentityRecord fresh = identity(Role.AGENT, Duration.ofDays(16));
    IdentityRecord renewed = identity(Role.AGENT, Duration.ofDays(15));
    put(Keys.identity("fresh"), fresh.json());
    put(Keys.identity("renewed"), renewed.json());
    put(Keys.identity("removed"), renewed.removed(CLOCK.instant(), "user root").json());
    put(Keys.identity("server"), identity(Role.SERVER, Duration.ofDays(15)).json());
    put(Keys.identity("damaged"), "{");
    try (EmbeddedRegistry other = EmbeddedRegistry.open(directory.resolve("to"))) {
      read(written()).restore(other, CLOCK, RENEWAL);
      assertThat(other.read(Keys.IDENTITIES).entries())
          .extracting(Entry::key)
          .containsExactlyInAnyOrder(
              Keys.identity("fresh"),
              Keys.identity("removed"),
              Keys.identity("server"),
              Keys.identity("damaged"));
    }
  }

  private static IdentityRecord identity(Role role, Duration left) {
    Instant now = CLOCK.instant();
    return new IdentityRecord(role, "key", "serial", now, "token")
        .trusting(new IdentityRecord.Trust("authority", List.of(), now.plus(left)));
  }

  /** Both halves of each pair are written together: a backup has both, or an older both. */
  @Test
  void aBackupIsOfOneMomentWhileOthersCommit() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; !ended.isDone(); i++) {
                registry.commit(
                    Transaction.when().put("pair/a", "" + i).put("pair/z", "" + i).build());
                begun.countDown();
              }
            });
    begun.await();
    for (int i = 0; i < 20; i++) {
      String text = written();
      assertThat(value(text, "pair/a")).isEqualTo(value(text, "pair/z"));
    }
    ended.complete(true);
    writer.join();
  }

  private static String value(String text, String key) {
    return text.lines()
        .filter(line -> line.startsWith(key + "\t"))
        .map(line -> line.substring(key.length()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCutOneIsNotRead() throws Exception {
    String text = written();
    assertThatThrownBy(() -> read(text.substring(0, text.length() / 2)))
        .isInstanceOf(InvalidBackupException.class);
    assertThatThrownBy(() -> read(text.substring(0, text.lastIndexOf("end "))))
        .hasMessage("its end is missing");
    assertThatThrownBy(() -> read(text.replace("unit 7\n", "unit 8\n")))
        .hasMessageContaining("damaged");
  }
}
