package fleet.fleetd;

import fleet.fleetd.config.Configuration;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes the directories that fleetd works in, or says what to do if that cannot be. */
public final class WorkingDirectories {
  private final boolean superuser;

  WorkingDirectories(boolean superuser) {
    this.superuser = superuser;
  }

  /** As the user that this process runs as. */
  public static WorkingDirectories ofThisProcess() throws FatalException {
    try {
      Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return new WorkingDirectories(uid.equals(0));
    } catch (IOException e) {
      throw new FatalException("/proc/self cannot be read: mount /proc", e);
    }
  }

  /** Makes those that are missing; the registry's is for fleetd alone. */
  public void make(Configuration.Directories directories) throws FatalException {
    make("data_directory", directories.data(), "rwx------");
    checkPrivate(directories.data());
    make("runtime_directory", directories.runtime(), "rwxr-xr-x");
    make("units_directory", directories.units(), "rwxr-xr-x");
  }

  /** The registry holds the cluster's keys, and the text of all units. */
  private static void checkPrivate(Path data) throws FatalException {
    try {
      Object owner = Files.getAttribute(data, "unix:uid");
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if (!owner.equals(self)) {
        throw FatalException.toCorrect(
            "data_directory %1$s belongs to uid %2$s, who could read the cluster's keys in it, and fleetd runs as uid %3$s: run \"chown -R %3$s %1$s && chmod 700 %1$s\", or set data_directory"
                .formatted(data, owner, self),
            null);
      }
      String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(data));
      if (!mode.endsWith("------")) {
        throw FatalException.toCorrect(
            "data_directory %1$s is open to others (%2$s), who could read the cluster's keys in it: run \"chmod 700 %1$s\", or set data_directory"
                .formatted(data, mode),
            null);
      }
    } catch (IOException e) {
      throw new FatalException("data_directory " + data + ": " + Failures.describe(e), e);
    }
  }

  private void make(String option, Path directory, String mode) throws FatalException {
    FileAttribute<Set<PosixFilePermission>> permissions =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, permissions);
      }
    } catch (FileAlreadyExistsException e) {
      throw refused(option, directory, e.getFile() + " is a file, not a directory", "remove it", e);
    } catch (IOException e) {
      throw refused(option, directory, Failures.describe(e), remedy(), e);
    }
    if (!Files.isWritable(directory)) {
      throw new FatalException(
          option + " " + directory + " may not be written to: " + remedy() + ", or set " + option);
    }
  }

  private static FatalException refused(
      String option, Path directory, String reason, String remedy, IOException cause) {
    return new FatalException(
        "%1$s %2$s cannot be made: %3$s: %4$s, or set %1$s"
            .formatted(option, directory, reason, remedy),
        cause);
  }

  private String remedy() {
    return superuser
        ? "make room for it"
        : "start fleetd as root, or set systemd_user=true to manage your own units";
  }
}
