package fleet.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The needs of real machines on this one. */
final class Needs {

  /** The commands used, with the Debian package that has each. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "systemd-nspawn", "systemd-container",
          "systemctl", "systemd",
          "dbus-daemon", "dbus",
          "ip", "iproute2",
          "nsenter", "util-linux",
          "mount", "mount");

  private Needs() {}

  /**
   * Checks for all of it.
   *
   * @throws AssertionError that says what is missing and how to get it: a test that cannot run has
   *     not passed
   */
  static void check() {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new AssertionError("real machines are booted as root only: run ./dev test as root");
    }
    check(PACKAGES);
  }

  /** Checks for what an etcd needs. */
  static void checkForEtcd() {
    check(Map.of("etcd", "etcd-server", "etcdctl", "etcd-client", "openssl", "openssl"));
  }

  /** Checks for what makes the files of a Debian release. */
  static void checkForDebian() {
    check(Map.of("debootstrap", "debootstrap", "flock", "util-linux"));
  }

  private static void check(Map<String, String> packages) {
    var missing = new TreeSet<String>();
    packages.forEach((command, debianPackage) -> {
      if (!isInstalled(command)) {
        missing.add(debianPackage);
      }
    });
    if (!missing.isEmpty()) {
      throw new AssertionError(
          "real machines need these packages: apt-get install " + String.join(" ", missing));
    }
  }

  private static boolean isInstalled(String command) {
    for (String folder : List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/bin")) {
      if (Files.isExecutable(Path.of(folder, command))) {
        return true;
      }
    }
    return false;
  }
}
