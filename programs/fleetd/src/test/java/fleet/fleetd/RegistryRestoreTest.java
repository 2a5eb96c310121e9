package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Transaction;
import fleet.registry.backup.RegistryBackup;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code fleetd restore}, from its command line to its exit code. */
class RegistryRestoreTest {

  private static final String UNIT = Keys.UNITS + "web.service";

  @TempDir Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new HashMap<>();
  private Path data;
  private Path backup;

  @BeforeEach
  void backup() throws IOException {
    data = directory.resolve("data");
    backup = directory.resolve("backup.txt");
    Path conf = directory.resolve("fleet.conf");
    Files.writeString(
        conf,
        "data_directory=%s\nruntime_directory=%s\nunits_directory=%s\n"
            .formatted(data, directory.resolve("run"), directory.resolve("units")));
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory.resolve("other"));
        OutputStream file = Files.newOutputStream(backup)) {
      put(registry, "as backed up");
      RegistryBackup.of(registry, Clock.systemUTC()).writeTo(file);
    }
  }

  private static void put(EmbeddedRegistry registry, String value) {
    registry.commit(Transaction.when().put(UNIT, value).build());
  }

  private int restore(String... more) {
    out.reset();
    err.reset();
    Fleetd fleetd =
        new Fleetd(
            environment,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            inputs -> {
              throw new AssertionError("fleetd was started");
            });
    return fleetd.run(
        Stream.concat(
                Stream.of("restore", "-config", directory.resolve("fleet.conf").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private static String unitIn(Path registry) {
    try (EmbeddedRegistry opened = EmbeddedRegistry.open(registry)) {
      return opened.get(UNIT).orElseThrow().value();
    }
  }

  @Test
  void aMachineWithoutARegistryGetsThatOfTheBackup() {
    assertThat(restore(backup.toString())).as(err.toString(StandardCharsets.UTF_8)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Restored 1 units, as of ");
    assertThat(unitIn(data)).isEqualTo("as backed up");
    assertThat(data.resolve("restored")).doesNotExist();
  }

  @Test
  void aRegistryThatIsThereIsPutAsideOnlyByForce() throws IOException {
    Files.createDirectory(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(data)) {
      put(registry, "newer");
    }
    assertThat(restore(backup.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--force puts it aside");
    assertThat(unitIn(data)).isEqualTo("newer");

    assertThat(restore("--force", backup.toString())).isZero();
    assertThat(unitIn(data)).isEqualTo("as backed up");
    try (Stream<Path> files = Files.list(data)) {
      Path aside =
          files.filter(it -> it.toString().contains("before-restore-")).findFirst().orElseThrow();
      assertThat(unitIn(aside)).isEqualTo("newer");
    }
  }

  @Test
  void aDamagedBackupChangesNothing() throws IOException {
    Files.writeString(backup, Files.readString(backup).replace("as backed up", "as changed"));
    assertThat(restore(backup.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(backup + ": it is damaged");
    assertThat(data).doesNotExist();
  }

  @Test
  void aRegistryThatIsElsewhereIsNotRestoredHere() throws IOException {
    environment.put("FLEET_ETCD_SERVERS", "http://127.0.0.1:2379");
    assertThat(restore(backup.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("the registry is in etcd");
    environment.clear();
    environment.put("FLEET_JOIN", "10.0.0.1");
    assertThat(restore(backup.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("restore it on a server");
    assertThat(data).doesNotExist();
  }
}
