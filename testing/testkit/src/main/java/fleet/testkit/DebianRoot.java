package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The files of a Debian release, for machines to be booted from. They are kept in the user's cache,
 * named by the release and a hash of the packages and the steps that made them.
 *
 * <p>Safe for use by several threads and processes: one makes the files while the others wait. A
 * run that breaks leaves a folder that the next one removes.
 */
final class DebianRoot {

  /** The packages that machines need beyond Debian's minimum. */
  private static final List<String> PACKAGES =
      List.of(
          "curl",
          "dbus",
          "faketime",
          "hostname",
          "iproute2",
          "libpam-systemd",
          "login",
          "openssh-server",
          "passwd",
          "procps",
          "python3-apt",
          "systemd",
          "systemd-sysv",
          "util-linux");

  /**
   * Makes the folder $1 of the release $2 with the packages $3. debootstrap's mounts are in a
   * namespace of their own, so that none is left if it is killed. The machines have no way to a
   * mirror: without sources apt says so at once. sshd and its sockets are for tests that start it,
   * Python for Ansible.
   */
  private static final String MAKE =
      """
      [ ! -d "$1" ] || exit 0
      mirror=$(apt-get indextargets --format '$(SITE)' | grep -m1 '/debian/*$' || true)
      eval "$(apt-config shell http_proxy Acquire::http::Proxy)"
      [ -z "${http_proxy:-}" ] || export http_proxy
      rm -rf --one-file-system "$1.new"
      unshare --mount debootstrap --force-check-gpg --variant=minbase --include="$3" "$2" \
        "$1.new" "${mirror:-http://deb.debian.org/debian}"
      rm -rf "$1.new"/etc/apt/sources.list* "$1.new"/etc/resolv.conf
      rm -rf "$1.new"/var/lib/apt/lists/* "$1.new"/var/cache/apt/*
      rm -f "$1.new"/etc/systemd/system/multi-user.target.wants/ssh.service "$1.new"/etc/ssh/ssh_host_*
      mkdir -p "$1.new/etc/systemd/system-generators"
      ln -s /dev/null "$1.new/etc/systemd/system-generators/systemd-ssh-generator"
      chmod 755 "$1.new"
      mv -T "$1.new" "$1"
      """;

  private final String release;

  DebianRoot(String release) {
    this.release = release;
  }

  /** The folder; the first call on this machine makes it. */
  Path make() {
    String packages = String.join(",", PACKAGES);
    Path root = cache().resolve("debian-%s-%s".formatted(release, hash(release + packages + MAKE)));
    if (!Files.isDirectory(root)) {
      Needs.checkForDebian();
      // The lock is held until the last process of debootstrap has ended, also if we are killed.
      String lock = root + ".lock";
      var make = List.of("flock", lock, "sh", "-euc", MAKE, "sh", root + "", release, packages);
      System.err.println("making the Debian root " + root + ", which takes a few minutes");
      createCache();
      new Command(make, "").run().orThrow();
    }
    return root;
  }

  private static void createCache() {
    try {
      Files.createDirectories(cache());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + cache() + ": " + e.getMessage(), e);
    }
  }

  /** Where ./dev and the tests keep what they fetched. */
  static Path cache() {
    String cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME")).orElse("");
    return (cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache))
        .resolve("fleet");
  }

  private static String hash(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString().substring(0, 8);
  }
}
