package fleet.fleetd;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that nobody but root can change what a fleetd of root runs: its files, and the folders
 * above them, as sshd does. The caller of sudo counts as root as well, and so does a file system
 * that cannot be written to.
 */
final class ProgramFiles {

  private static final int WRITABLE_BY_GROUP = 020;
  private static final int WRITABLE_BY_OTHERS = 002;
  private static final int STICKY = 01000;

  private final Set<Integer> trusted;
  private final Set<Path> checked = new HashSet<>();

  /**
   * @param trusted the users that may own and write
   */
  ProgramFiles(Set<Integer> trusted) {
    this.trusted = Set.copyOf(trusted);
  }

  /**
   * Checks those of this process if it is root's.
   *
   * @throws FatalException with the command that mends it
   */
  static void check(Map<String, String> environment) throws FatalException {
    try {
      if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
        return;
      }
      Set<Integer> trusted = new HashSet<>(Set.of(0));
      sudoer(environment).ifPresent(trusted::add);
      var files = new ProgramFiles(trusted);
      for (Path file : ofThisProcess()) {
        Optional<String> objection = files.objection(file);
        if (objection.isPresent()) {
          throw FatalException.toCorrect(objection.get(), null);
        }
      }
    } catch (IOException e) {
      throw new FatalException("the files of fleetd cannot be checked: " + Failures.describe(e), e);
    }
  }

  private static Optional<Integer> sudoer(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("SUDO_UID"))
        .filter(uid -> uid.matches("[0-9]{1,9}"))
        .map(Integer::valueOf);
  }

  private static List<Path> ofThisProcess() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        files.add(Path.of(entry));
      }
    }
    files.add(Files.readSymbolicLink(Path.of("/proc/self/exe")));
    files.add(Path.of(System.getProperty("java.home"), "lib", "modules"));
    return files;
  }

  /** The objection to a file or a folder above it; empty if there is none. */
  Optional<String> objection(Path file) throws IOException {
    if (!Files.exists(file) || Files.getFileStore(file).isReadOnly()) {
      return Optional.empty();
    }
    // A folder that is all somebody else's is named itself, and not a file in it.
    Optional<String> last = Optional.empty();
    for (Path path = file.toRealPath();
        path != null && checked.add(path);
        path = path.getParent()) {
      Optional<String> objection = objectionToOne(path);
      if (objection.isEmpty() && last.isPresent()) {
        return last;
      }
      last = objection;
    }
    return last;
  }

  private Optional<String> objectionToOne(Path path) throws IOException {
    Map<String, Object> is =
        Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    int owner = number(is.get("uid"));
    int group = number(is.get("gid"));
    int mode = number(is.get("mode"));
    if (!trusted.contains(owner)) {
      return Optional.of(
          "%1$s belongs to uid %2$d, who could have root run anything by it: run \"chown -R root:root %1$s\", and copy fleet with cp -a --no-preserve=ownership"
              .formatted(path, owner));
    }
    boolean sticky = (mode & STICKY) != 0;
    boolean byOthers = (mode & WRITABLE_BY_OTHERS) != 0;
    // A group of the same number is that user's own.
    boolean byGroup = (mode & WRITABLE_BY_GROUP) != 0 && !trusted.contains(group);
    return (byOthers || byGroup) && !sticky
        ? Optional.of(
            "%1$s can be written to by others, who could have root run anything by it: run \"chmod go-w %1$s\""
                .formatted(path))
        : Optional.empty();
  }

  private static int number(@Nullable Object attribute) {
    return attribute instanceof Integer number ? number : -1;
  }
}
