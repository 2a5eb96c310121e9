package fleet.machinetests;

import fleet.testkit.BootedMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The build that machines run before their upgrade: the folder that the system property {@code
 * fleet.upgrade.from} names, as {@code ./dev upgrade-from} has it. Without the property it is
 * {@code target/fleet} with another version number, which costs no second build.
 */
final class OlderFleet {

  private static final Path CURRENT =
      Path.of(System.getProperty("fleet.root", "../.."), "target", "fleet").toAbsolutePath();

  private static final String GIVEN = System.getProperty("fleet.upgrade.from", "");

  private OlderFleet() {}

  /** Copies it into a machine. */
  static void copyTo(BootedMachine machine, String path) {
    machine.copyFolder(GIVEN.isEmpty() ? CURRENT : Path.of(GIVEN), path);
    if (GIVEN.isEmpty()) {
      renumber(machine.path(path + "/lib"));
    }
  }

  /** The start-up cache goes: it is for the jar as it was. */
  private static void renumber(Path lib) {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, "fleet-fleetd-*.jar")) {
      Files.delete(lib.resolve("fleetd.aot"));
      renumberJar(jars.iterator().next());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In a copy, as Java opens no archive at a path through another machine's root. */
  private static void renumberJar(Path jar) throws IOException {
    Path copy = Files.createTempFile("fleetd-", ".jar");
    try {
      Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
      try (FileSystem files = FileSystems.newFileSystem(copy)) {
        Files.writeString(files.getPath("fleet/fleetd/version"), version());
      }
      Files.copy(copy, jar, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.delete(copy);
    }
  }

  /** Its version number. */
  static String version() {
    return GIVEN.isEmpty() ? newerVersion() + "-older" : versionOf(Path.of(GIVEN));
  }

  /** The version number of {@code target/fleet}. */
  static String newerVersion() {
    return versionOf(CURRENT);
  }

  private static String versionOf(Path folder) {
    try {
      return Files.readString(folder.resolve("VERSION")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
