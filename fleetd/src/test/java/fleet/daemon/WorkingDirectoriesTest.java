package fleet.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.daemon.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkingDirectoriesTest {
  @TempDir Path base;

  @Test
  void missingOnesAreMadeAndTheRegistryIsPrivate() throws Exception {
    Configuration.Directories directories = directories();

    new WorkingDirectories(true).make(directories);
    new WorkingDirectories(true).make(directories);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directories.data())))
        .isEqualTo("rwx------");
    assertThat(directories.runtime()).isDirectory();
    assertThat(directories.units()).isDirectory();
  }

  @Test
  void fileInTheWayIsNamed() throws Exception {
    Files.writeString(base.resolve("data"), "");

    assertThatThrownBy(() -> new WorkingDirectories(true).make(directories()))
        .isInstanceOf(FatalException.class)
        .hasMessage(
            "data_directory %1$s cannot be made: %1$s is a file, not a directory: remove it, or set"
                    .formatted(base.resolve("data"))
                + " data_directory");
  }

  @Test
  void plainUserIsToldOfTheTwoWaysOut() {
    Configuration.Directories refused =
        new Configuration.Directories(
            base.resolve("units"), Path.of("/proc/fleet/data"), base.resolve("run"));

    assertThatThrownBy(() -> new WorkingDirectories(false).make(refused))
        .isInstanceOf(FatalException.class)
        .hasMessageStartingWith("data_directory /proc/fleet/data cannot be made: ")
        .hasMessageEndingWith(
            ": start fleetd as root, or set systemd_user=true to manage your own units,"
                + " or set data_directory");
  }

  private Configuration.Directories directories() {
    return new Configuration.Directories(
        base.resolve("run/units"), base.resolve("data"), base.resolve("run"));
  }
}
