package fleet.fleetctl.unit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether an unnamed file in the working directory may be used as a unit file: in /tmp anybody can
 * place a file with a unit's name. It must belong to root or the caller (with sudo, to the user who
 * called it), and nobody else may be able to write or replace it.
 */
final class FileTrust {

  private static final int WRITABLE_BY_OTHERS = 002;
  private static final int STICKY = 01000;

  private final Set<String> owners;

  /**
   * @param owners the users whose files are taken, by number
   */
  FileTrust(Set<String> owners) {
    this.owners = Set.copyOf(owners);
  }

  static FileTrust ofCaller() {
    return new FileTrust(
        Stream.of("0", self(), Objects.requireNonNullElse(System.getenv("SUDO_UID"), "0"))
            .collect(Collectors.toSet()));
  }

  private static String self() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    } catch (IOException e) {
      return "0";
    }
  }

  /**
   * Refuses an untrusted file.
   *
   * @throws UnitProblemException says how to use it anyway
   */
  void check(Path file) throws UnitProblemException {
    try {
      checkOwner(file, Files.readAttributes(file, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS));
      checkOwner(file, Files.readAttributes(file, "unix:uid,mode"));
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null && isOpen(mode(Files.readAttributes(directory, "unix:mode")))) {
        throw refused(file, "lies where every user can put files");
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException e) {
      throw new UnitProblemException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private void checkOwner(Path file, Map<String, Object> is) throws UnitProblemException {
    String owner = String.valueOf(is.get("uid"));
    if (!owners.contains(owner)) {
      throw refused(file, "belongs to uid " + owner);
    }
    if (!isLink(mode(is)) && isOpen(mode(is))) {
      throw refused(file, "can be written to by every user");
    }
  }

  private static int mode(Map<String, Object> is) {
    return is.get("mode") instanceof Integer mode ? mode : 0;
  }

  private static boolean isLink(int mode) {
    return (mode & 0170000) == 0120000;
  }

  private static boolean isOpen(int mode) {
    return (mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0;
  }

  private static UnitProblemException refused(Path file, String why) {
    return new UnitProblemException(
        "%s %s, and nobody named it: write ./%s to use it, or run fleetctl in another directory"
            .formatted(file, why, file.getFileName()));
  }
}
