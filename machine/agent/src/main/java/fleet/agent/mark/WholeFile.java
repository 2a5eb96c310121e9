package fleet.agent.mark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A file that exists whole or not at all, whenever fleetd is killed. Its directory is made if
 * somebody removed it.
 */
public final class WholeFile {

  private static final int LONGEST = 200;

  private WholeFile() {}

  /** Writes it, in place of the one before. */
  public static void write(Path file, String text) throws IOException {
    Files.move(partial(file, text), file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes it, in place of the one before, with these permissions whatever the process's mask. */
  public static void write(Path file, String text, Set<PosixFilePermission> permissions)
      throws IOException {
    Path partial = partial(file, text);
    Files.setPosixFilePermissions(partial, permissions);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A unit's name may be as long as a file's, and leave no room for more. */
  private static String shortened(String name) {
    return name.length() <= LONGEST
        ? name
        : UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static Path partial(Path file, String text) throws IOException {
    Path partial = file.resolveSibling("." + shortened("" + file.getFileName()) + ".part");
    try {
      return Files.writeString(partial, text);
    } catch (NoSuchFileException e) {
      Files.createDirectories(Objects.requireNonNull(partial.getParent()));
      return Files.writeString(partial, text);
    }
  }
}
