package fleet.systemd.dbus;

import fleet.systemd.SystemdException;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds the directory of unit files that end with the boot: {@code /run/systemd/system}, or {@code
 * systemd/user} below a user's runtime directory. A user's unit path also has {@code
 * /run/systemd/user}, which is all users'.
 */
final class RuntimeDirectory {

  private RuntimeDirectory() {}

  /** Each manager keeps its transient units beside it. */
  static Path in(List<Path> unitPath) {
    return unitPath.stream()
        .filter(path -> path.endsWith("transient"))
        .flatMap(transients -> List.of("system", "user").stream().map(transients::resolveSibling))
        .filter(unitPath::contains)
        .findFirst()
        .orElseThrow(() ->
            new SystemdException(
                "fleet.NoRuntimeDirectory",
                "systemd names no directory for unit files that end with the boot: " + unitPath));
  }
}
