package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files in the directory of a registry, and their durable creation. */
final class RegistryFiles {

  static final String DATABASE = "registry.db";
  static final String LOG = "registry.db-wal";
  static final String STORE_ID = "store-id";
  static final String ACKNOWLEDGED = "acknowledged";
  static final String LOCK = "lock";

  /** Says, for people, where the registry is now that was here. */
  static final String MOVED = "moved";

  /** The suffix of unfinished files, which may be thrown away at any time. */
  static final String UNFINISHED = ".new";

  /** They hold the cluster's keys, whatever the directory's mode may be some day. */
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rw-------");

  private final Path directory;

  private RegistryFiles(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes the directory if it does not exist, for this user alone.
   *
   * @throws RegistryException if it cannot be used
   */
  static RegistryFiles in(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    try {
      if (!Files.exists(absolute)) {
        create(absolute);
      }
      if (!Files.isDirectory(absolute)) {
        throw new NotDirectoryException(absolute.toString());
      }
      if (!Files.isWritable(absolute) || !Files.isExecutable(absolute)) {
        throw new AccessDeniedException(absolute.toString());
      }
      return new RegistryFiles(absolute.toRealPath());
    } catch (IOException e) {
      throw unusable(absolute, e);
    }
  }

  private static void create(Path directory) throws IOException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(directory, ownerOnly);
    Path parent = directory.getParent();
    if (parent != null) {
      forceDirectory(parent);
    }
  }

  static RegistryException unusable(Path path, IOException fault) {
    String what =
        switch (fault) {
          case AccessDeniedException e -> "no permission to use it; check owner, mode and mount";
          case NotDirectoryException e ->
              "it is not a directory; name another in the configuration";
          case NoSuchFileException e -> "no such file";
          case FileSystemException e when e.getReason() != null ->
              e.getReason() + "; check that path, or the disk";
          default -> fault.getMessage() + "; check the disk";
        };
    return new RegistryException("registry cannot use " + path + ": " + what, fault);
  }

  Path directory() {
    return directory;
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  boolean exists(String name) {
    return Files.exists(path(name));
  }

  /** Restricts existing files to this user; SQLite creates further ones with the same mode. */
  void keepPrivate() {
    for (String name :
        List.of(DATABASE, LOG, DATABASE + "-shm", STORE_ID, ACKNOWLEDGED, LOCK, MOVED)) {
      try {
        if (exists(name) && !Files.getPosixFilePermissions(path(name)).equals(PRIVATE)) {
          Files.setPosixFilePermissions(path(name), PRIVATE);
        }
      } catch (IOException e) {
        throw unusable(path(name), e);
      }
    }
  }

  /** Makes the file of a database to be, for this user alone. */
  void createUnfinished(String name) {
    try {
      Files.createFile(path(name + UNFINISHED), PosixFilePermissions.asFileAttribute(PRIVATE));
    } catch (IOException e) {
      throw unusable(path(name + UNFINISHED), e);
    }
  }

  /** Zero if the file does not exist. */
  long size(String name) {
    try {
      return Files.size(path(name));
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw unusable(path(name), e);
    }
  }

  Optional<String> text(String name) {
    try {
      return Optional.of(Files.readString(path(name), StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable(path(name), e);
    }
  }

  /** Makes a file atomically and durably. */
  void create(String name, String text) {
    Path unfinished = path(name + UNFINISHED);
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PRIVATE))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw unusable(unfinished, e);
    }
    finish(name);
  }

  /** Gives an unfinished file its name, durably. */
  void finish(String name) {
    Path unfinished = path(name + UNFINISHED);
    try {
      try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(unfinished, path(name), StandardCopyOption.ATOMIC_MOVE);
      forceDirectory(directory);
    } catch (IOException e) {
      throw unusable(path(name), e);
    }
  }

  void deleteUnfinished(String name) {
    try {
      for (String suffix : new String[] {"", "-wal", "-shm", "-journal"}) {
        Files.deleteIfExists(path(name + UNFINISHED + suffix));
      }
    } catch (IOException e) {
      throw unusable(path(name + UNFINISHED), e);
    }
  }

  static void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
