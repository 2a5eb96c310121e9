package fleet.api.listen;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The group whose members may use the API beside root, on machines that have it. */
final class FleetGroup {

  private static final Logger LOG = LoggerFactory.getLogger(FleetGroup.class);
  private static final String NAME = "fleet";
  private static final List<String> LESSER = List.of("fleet-operator", "fleet-viewer");
  private static final int ROOT = 0;

  private FleetGroup() {}

  /** Gives a file to it; false if there is none, or if that is not permitted. */
  static boolean take(Path file) {
    try {
      GroupPrincipal group =
          file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(NAME);
      Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
          .setGroup(group);
      return true;
    } catch (IOException e) {
      LOG.debug("no group {} for {}", NAME, file, e);
      return false;
    }
  }

  /** Whether it is the group that a file has. */
  static boolean has(Path file) throws IOException {
    return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .group()
        .getName()
        .equals(NAME);
  }

  /** Whether there are groups of people with fewer rights, for whom the socket is open to all. */
  static boolean hasLesser(Path file) {
    return LESSER.stream().anyMatch(name -> isGroup(file, name));
  }

  private static boolean isGroup(Path file, String name) {
    try {
      return file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name)
          != null;
    } catch (IOException e) {
      LOG.debug("no group {}", name, e);
      return false;
    }
  }

  /** Whether it is root's group that a file has. */
  static boolean isRoots(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS) == ROOT;
  }
}
