package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import fleet.fleetd.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rwx--x---", "rwx-----x", "rwxrwx---"})
  void aRegistryThatOthersCanReachIsRefusedWithTheCommandThatMendsIt(String mode) throws Exception {
    Path data = Files.createDirectory(base.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString(mode));

    assertThatThrownBy(() -> new WorkingDirectories(true).make(directories()))
        .isInstanceOfSatisfying(
            FatalException.class, refusal -> assertThat(refusal.isToCorrect()).isTrue())
        .hasMessage(
            "data_directory %1$s is open to others (%2$s), who could read the cluster's keys in it: run \"chmod 700 %1$s\", or set data_directory"
                .formatted(data, mode));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    new WorkingDirectories(true).make(directories());
  }

  @Test
  void aRegistryOfAnotherUserIsRefused() throws Exception {
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    Path data =
        Files.createDirectory(
            base.resolve("data"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setAttribute(data, "unix:uid", 4711);

    assertThatThrownBy(() -> new WorkingDirectories(true).make(directories()))
        .isInstanceOfSatisfying(
            FatalException.class, refusal -> assertThat(refusal.isToCorrect()).isTrue())
        .hasMessageContaining("belongs to uid 4711")
        .hasMessageContaining("run \"chown -R 0 " + data + " && chmod 700 " + data + "\"");
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
