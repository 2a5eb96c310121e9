package fleet.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A machine's own control group in each hierarchy that systemd uses: one with cgroup v2, two if v1
 * and v2 are mixed. Without it the systemds of all machines would empty each other's.
 */
final class Cgroups {

  private static final Path BASE = Path.of("/sys/fs/cgroup");

  private final String name;

  Cgroups(String name) {
    this.name = "fleet-" + name;
  }

  /** The folders, to be made and joined by the process that becomes the machine. */
  List<String> paths() {
    return Stream.of("systemd", "unified", ".")
        .map(BASE::resolve)
        .filter(hierarchy -> Files.exists(hierarchy.resolve("cgroup.procs")))
        .map(hierarchy -> hierarchy.resolve(name).normalize().toString())
        .toList();
  }

  /** Removes what an ended machine left. */
  void remove() {
    for (String path : paths()) {
      if (Files.exists(Path.of(path))) {
        Command.of("find", path, "-depth", "-type", "d", "-exec", "rmdir", "{}", "+").run();
      }
    }
  }
}
