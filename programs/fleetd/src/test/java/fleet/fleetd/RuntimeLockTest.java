package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeLockTest {

  @TempDir Path directory;

  @Test
  void nobodyElseMayOpenTheFile() throws Exception {
    try (RuntimeLock _ = RuntimeLock.take(directory)) {
      assertThat(mode()).isEqualTo("rw-------");
      assertThat(Files.readString(file())).isEqualTo(ProcessHandle.current().pid() + "\n");
    }
  }

  /** A version before left a file that everybody could read, and so lock. */
  @Test
  void aFileThatAnybodyMayHaveLockedIsReplaced() throws Exception {
    Files.writeString(file(), "99999999\n");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    Process attacker = locked();
    try (RuntimeLock _ = RuntimeLock.take(directory)) {
      assertThat(mode()).isEqualTo("rw-------");
    } finally {
      attacker.destroyForcibly().waitFor();
    }
  }

  @Test
  void aFleetdOfAnEarlierVersionThatLivesKeepsItsLock() throws Exception {
    Files.writeString(file(), ProcessHandle.current().pid() + "\n");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
    Process earlier = locked();
    try {
      assertThatThrownBy(() -> RuntimeLock.take(directory))
          .isInstanceOf(FatalException.class)
          .hasMessageContaining("another fleetd (pid " + ProcessHandle.current().pid() + ")");
    } finally {
      earlier.destroyForcibly().waitFor();
    }
  }

  @Test
  void aSecondOneIsRefusedAndToldWhoHasIt() throws Exception {
    Files.writeString(file(), "4711\n");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
    Process other = locked();
    try {
      assertThatThrownBy(() -> RuntimeLock.take(directory))
          .isInstanceOf(FatalException.class)
          .hasMessageContaining("another fleetd (pid 4711)");
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  private Path file() {
    return directory.resolve("fleetd.lock");
  }

  private String mode() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file()));
  }

  /** A process that has the file locked, as far as reading it allows. */
  private Process locked() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                file().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("locked");
    return process;
  }
}
