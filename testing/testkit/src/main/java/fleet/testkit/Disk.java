package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A machine's disk: an overlay over the root of its operating system, so that it has its programs
 * at no cost. What makes this machine this machine is covered: its id, and the services it was told
 * to start.
 */
final class Disk {

  private static final List<String> COVERED =
      List.of("etc/fleet", "var/lib/fleet", "etc/fstab", "var/log/journal");

  /** A console nobody looks at, and modules of a kernel that is this machine's. */
  private static final List<String> MASKED =
      List.of("console-getty.service", "systemd-modules-load.service");

  /** The name of the operating system: a file, kept with the machine. */
  private static final String SYSTEM = "system";

  /** The root that the disk lies over: a link, kept with the machine. */
  private static final String LOWER = "lower";

  private final Path directory;
  private final OperatingSystem system;
  private final String name;
  private final String machineId;
  private final String networkUnit;

  Disk(Path directory, OperatingSystem system, String name, String machineId, String networkUnit) {
    this.directory = directory;
    this.system = system;
    this.name = name;
    this.machineId = machineId;
    this.networkUnit = networkUnit;
  }

  /** The operating system of the machine with this folder; this machine's if it has none yet. */
  static OperatingSystem systemOf(Path directory) {
    Path note = directory.resolve(SYSTEM);
    try {
      String name = Files.exists(note) ? Files.readString(note) : "";
      return Arrays.stream(OperatingSystem.values())
          .filter(system -> system.name().equals(name))
          .findFirst()
          .orElse(OperatingSystem.HOST);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + note, e);
    }
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
      noteSystem();
      Command.of(
              "mount",
              "-t",
              "overlay",
              "overlay",
              "-o",
              "lowerdir=%1$s/%2$s,upperdir=%1$s/upper,workdir=%1$s/work"
                  .formatted(directory, LOWER),
              root().toString())
          .run()
          .orThrow();
      personalize();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare a machine's disk: " + e.getMessage(), e);
    }
  }

  /** A later boot of the machine finds the same root, whatever has become the usual one. */
  private void noteSystem() throws IOException {
    Path lower = directory.resolve(LOWER);
    if (!Files.isSymbolicLink(lower)) {
      Files.writeString(directory.resolve(SYSTEM), system.name());
      Files.createSymbolicLink(lower, system.root());
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
    for (String unneeded : MASKED) {
      delete(system.resolve(unneeded));
      Files.createSymbolicLink(system.resolve(unneeded), Path.of("/dev/null"));
    }
  }

  /** Services that the host starts at boot are the host's business. */
  private void disableServices(Path system) throws IOException {
    for (String suffix : List.of("wants", "requires")) {
      try (DirectoryStream<Path> links = Files.newDirectoryStream(system, "*." + suffix)) {
        for (Path folder : links) {
          delete(folder);
        }
      }
    }
    for (String level : List.of("2", "3", "4", "5", "S")) {
      delete(root().resolve("etc/rc" + level + ".d"));
    }
  }

  private static void delete(Path path) {
    Command.of("rm", "-rf", "--one-file-system", path.toString()).run().orThrow();
  }
}
