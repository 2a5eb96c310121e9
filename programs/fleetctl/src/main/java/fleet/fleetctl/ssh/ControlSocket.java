package fleet.fleetctl.ssh;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The socket by which one connection of ssh serves several commands, for a minute after the last.
 * It is in a directory that nobody else can enter: a process that opens it is let in without a key.
 */
final class ControlSocket {

  private static final int MODE = 0777;
  private static final int PRIVATE = 0700;

  /** The kernel's limit for the path of a socket, less what ssh appends while it binds one. */
  private static final int LONGEST = 107 - 18;

  private static final int DIGEST = 16;

  private ControlSocket() {}

  /**
   * The path for {@code ControlPath}; empty if there is no safe place.
   *
   * @param apart connections that differ in this text are not shared
   */
  static Optional<String> path(SshOptions options, String apart) {
    String runtime = options.environment().getOrDefault("XDG_RUNTIME_DIR", "");
    Path directory =
        runtime.isEmpty() ? options.home().resolve(".fleetctl") : Path.of(runtime, "fleetctl");
    String socket = directory.resolve(hash(apart)).toString();
    return socket.length() <= LONGEST && isPrivate(directory)
        ? Optional.of(socket.replace("%", "%%"))
        : Optional.empty();
  }

  /** Two hosts never share a name: the commands of one would go to the other. */
  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, DIGEST);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isPrivate(Path directory) {
    try {
      createPrivate(directory);
      Map<String, Object> is =
          Files.readAttributes(directory, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return self.equals(is.get("uid"))
          && Boolean.TRUE.equals(is.get("isDirectory"))
          && is.get("mode") instanceof Integer mode
          && (mode & MODE) == PRIVATE;
    } catch (IOException none) {
      return false;
    }
  }

  /** Creates a directory for its owner alone, if there is none. */
  static void createPrivate(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }
}
