package fleet.registry.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * Puts one embedded registry in the place of another; neither may be open. The database comes last:
 * a replacement that was interrupted leaves a directory that is refused, and can be repeated.
 */
public final class RegistryReplacement {

  private static final List<String> FILES =
      List.of(
          RegistryFiles.STORE_ID,
          RegistryFiles.ACKNOWLEDGED,
          RegistryFiles.MOVED,
          RegistryFiles.DATABASE + "-shm",
          RegistryFiles.LOG,
          RegistryFiles.DATABASE);

  private final RegistryFiles files;

  /**
   * Nothing is done yet.
   *
   * @param data the directory that keeps the registry
   */
  public RegistryReplacement(Path data) {
    this.files = RegistryFiles.in(data);
  }

  /** Whether there is a registry, or a part of one. */
  public boolean isOccupied() {
    return FILES.stream().anyMatch(files::exists);
  }

  /**
   * Makes the replacement.
   *
   * @param filled the directory of the new registry, in the same file system; it is removed
   * @param aside the directory for the files of the former one, if there are any
   * @throws fleet.registry.RegistryException if the registry is in use, or files cannot be moved
   */
  public void carryOut(Path filled, Path aside) {
    try (DirectoryLock _ = DirectoryLock.take(files)) {
      if (isOccupied()) {
        Files.createDirectories(
            aside,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        move(files.directory(), aside, FILES.reversed());
      }
      move(filled, files.directory(), FILES);
      delete(filled);
    } catch (IOException e) {
      throw RegistryFiles.unusable(files.directory(), e);
    }
  }

  private static void move(Path from, Path to, List<String> names) throws IOException {
    for (String name : names) {
      if (Files.exists(from.resolve(name))) {
        Files.move(from.resolve(name), to.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    RegistryFiles.forceDirectory(to);
  }

  /** Deletes a directory without folders; does nothing if there is none. */
  public static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> left = Files.list(directory)) {
      for (Path file : left.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
