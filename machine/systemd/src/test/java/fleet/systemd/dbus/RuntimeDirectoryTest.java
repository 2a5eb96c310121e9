package fleet.systemd.dbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** With the unit paths of systemd 252 and 257, shortened. */
class RuntimeDirectoryTest {

  @Test
  void isTheSystemsOwn() {
    List<Path> unitPath =
        paths(
            "/etc/systemd/system.control",
            "/run/systemd/system.control",
            "/run/systemd/transient",
            "/etc/systemd/system",
            "/run/systemd/system",
            "/usr/lib/systemd/system");

    assertThat(RuntimeDirectory.in(unitPath)).isEqualTo(Path.of("/run/systemd/system"));
  }

  @Test
  void isTheUsersOwnAndNotThatOfAllUsers() {
    List<Path> unitPath =
        paths(
            "/run/user/7/systemd/user.control",
            "/run/user/7/systemd/transient",
            "/home/one/.config/systemd/user",
            "/run/systemd/user",
            "/run/user/7/systemd/user");

    assertThat(RuntimeDirectory.in(unitPath)).isEqualTo(Path.of("/run/user/7/systemd/user"));
  }

  @Test
  void isMissedInAPathWithoutOne() {
    assertThatThrownBy(() -> RuntimeDirectory.in(paths("/etc/systemd/system")))
        .isInstanceOf(SystemdException.class)
        .hasMessageContaining("/etc/systemd/system");
  }

  private static List<Path> paths(String... paths) {
    return Stream.of(paths).map(Path::of).toList();
  }
}
