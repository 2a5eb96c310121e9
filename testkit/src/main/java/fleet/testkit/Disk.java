package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A machine's disk: an overlay over this machine's root, so that it has its programs at no cost.
 * What makes this machine this machine is covered: its id, and the services it was told to start.
 */
final class Disk {

  private static final List<String> COVERED =
      List.of("etc/fleet", "var/lib/fleet", "etc/fstab", "var/log/journal");

  private final Path directory;
  private final String name;
  private final String machineId;
  private final String networkUnit;

  Disk(Path directory, String name, String machineId, String networkUnit) {
    this.directory = directory;
    this.name = name;
    this.machineId = machineId;
    this.networkUnit = networkUnit;
  }

  String machineId() {
    return machineId;
  }

  Path root() {
    return directory.resolve("root");
  }

  Path journal() {
    return root().resolve("var/log/journal").resolve(machineId);
  }

  /** Mounts it, and on its first time makes a machine of it. */
  void mount() {
    if (Command.of("mountpoint", "-q", root().toString()).run().ok()) {
      return;
    }
    try {
      for (String part : List.of("upper", "work", "root")) {
        Files.createDirectories(directory.resolve(part));
      }
      Command.of(
              "mount",
              "-t",
              "overlay",
              "overlay",
              "-o",
              "lowerdir=/,upperdir=%1$s/upper,workdir=%1$s/work".formatted(directory),
              root().toString())
          .run()
          .orThrow();
      personalize();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare a machine's disk: " + e.getMessage(), e);
    }
  }

  void remove() {
    Command.of("umount", "--lazy", root().toString()).run();
    Command.of("rm", "-rf", "--one-file-system", directory.toString()).run().orThrow();
  }

  private void personalize() throws IOException {
    Path system = root().resolve("etc/systemd/system");
    disableServices(system);
    for (String path : COVERED) {
      delete(root().resolve(path));
    }
    Files.createDirectories(root().resolve("var/log/journal"));
    delete(root().resolve("etc/machine-id"));
    Files.writeString(root().resolve("etc/machine-id"), machineId + "\n");
    Files.writeString(root().resolve("etc/hostname"), name + "\n");
    Files.writeString(system.resolve("test-network.service"), networkUnit);
    Path wanted = Files.createDirectories(system.resolve("multi-user.target.wants"));
    Files.createSymbolicLink(
        wanted.resolve("test-network.service"), Path.of("../test-network.service"));
    // A console nobody looks at.
    Files.createSymbolicLink(system.resolve("console-getty.service"), Path.of("/dev/null"));
  }

  /** What the host was told to start at boot is the host's business. */
  private void disableServices(Path system) throws IOException {
    for (String suffix : List.of("wants", "requires")) {
      try (DirectoryStream<Path> links = Files.newDirectoryStream(system, "*." + suffix)) {
        for (Path folder : links) {
          delete(folder);
        }
      }
    }
    delete(system.resolve("console-getty.service"));
    for (String level : List.of("2", "3", "4", "5", "S")) {
      delete(root().resolve("etc/rc" + level + ".d"));
    }
  }

  private static void delete(Path path) {
    Command.of("rm", "-rf", "--one-file-system", path.toString()).run().orThrow();
  }
}
