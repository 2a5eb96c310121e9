package fleet.registry.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpeningTest {

  @TempDir Path directory;

  private static void assertRefused(Path place, String message) {
    assertThatThrownBy(() -> EmbeddedRegistry.open(place))
        .isInstanceOf(RegistryException.class)
        .hasMessage(message);
  }

  @Test
  void theDirectoryIsMadeForItsOwnerAlone() throws IOException {
    Path place = directory.resolve("not").resolve("yet");
    EmbeddedRegistry.open(place).close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
        .isEqualTo("rwx------");
  }

  /** Somebody's umask, or a version before, left files that everybody can read. */
  @Test
  void noFileOfARegistryIsReadByOthersWhateverTheDirectoryIs() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      commit(registry);
      assertThat(modes()).containsOnly("rw-------").hasSizeGreaterThan(4);
    }
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      }
    }
    try (EmbeddedRegistry registry = EmbeddedRegistry.open(directory)) {
      commit(registry);
      assertThat(modes()).containsOnly("rw-------").hasSizeGreaterThan(4);
    }
  }

  private static void commit(EmbeddedRegistry registry) {
    assertThat(registry.commit(Transaction.when().put("ca", "PRIVATE KEY").build()))
        .isInstanceOf(Outcome.Committed.class);
  }

  private List<String> modes() throws IOException {
    List<String> modes = new ArrayList<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    return modes;
  }

  @Test
  void aCleanEndLeavesAllInTheDatabase() throws IOException {
    EmbeddedRegistry.open(directory).close();
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("registry.db", "store-id", "acknowledged", "lock");
    }
  }

  /** No test can see the lack of it without cutting the power. */
  @Test
  void eachCommitIsForcedToTheDisk() throws Exception {
    EmbeddedRegistry.open(directory).close();
    try (Connection connection =
            Database.openForWriting(directory.resolve(RegistryFiles.DATABASE));
        Statement statement = connection.createStatement()) {
      try (ResultSet synchronous = statement.executeQuery("PRAGMA synchronous")) {
        assertThat(synchronous.getInt(1)).as("FULL").isEqualTo(2);
      }
      try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode")) {
        assertThat(mode.getString(1)).isEqualTo("wal");
      }
    }
  }

  @Test
  void aCrashWhileTheRegistryIsMadeLeavesNothingInTheWay() throws IOException {
    Files.writeString(directory.resolve("registry.db.new"), "half");
    Files.writeString(directory.resolve("registry.db.new-wal"), "half");
    Files.writeString(directory.resolve("store-id.new"), "ha");
    EmbeddedRegistry.open(directory).close();
    assertThat(directory.resolve("registry.db.new-wal")).doesNotExist();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertRefused(
        file,
        "registry cannot use %s: it is not a directory; name another in the configuration"
            .formatted(file));
    Path below = file.resolve("below");
    assertRefused(
        below,
        "registry cannot use %s: Not a directory; check that path, or the disk".formatted(below));
  }

  @Test
  void aSecondOpeningInTheSameProcessIsRefusedAndTheFirstKeepsItsLock() throws Exception {
    Path data = directory.resolve("data");
    try (EmbeddedRegistry first = EmbeddedRegistry.open(data)) {
      Path link = Files.createSymbolicLink(directory.resolve("link"), data);
      assertRefused(link, taken(data, ProcessHandle.current().pid()));
      assertThat(errorsOf(EndlessCommits.class, data))
          .contains(taken(data, ProcessHandle.current().pid()));
      assertThat(first.read("").entries()).isEmpty();
    }
    EmbeddedRegistry.open(data).close();
  }

  @Test
  void anotherProcessIsNamedWithItsNumber() throws Exception {
    Process other = JavaProcess.start(EndlessCommits.class, directory);
    try (BufferedReader lines = other.inputReader()) {
      assertThat(lines.readLine()).isNotNull();
      assertRefused(directory, taken(directory, other.pid()));
    } finally {
      other.destroyForcibly().waitFor();
    }
    EmbeddedRegistry.open(directory).close();
  }

  private static String taken(Path place, long pid) {
    return "another fleetd (pid %d) uses %s; stop it, or give this one its own data directory"
        .formatted(pid, place);
  }

  private static String errorsOf(Class<?> main, Path argument) throws Exception {
    Process process = JavaProcess.start(main, argument);
    try (BufferedReader lines = process.errorReader()) {
      return String.join("\n", lines.lines().toList());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
