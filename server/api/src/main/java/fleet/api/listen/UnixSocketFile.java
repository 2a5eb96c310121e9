package fleet.api.listen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the API's own unix socket. It is bound within a directory that only its owner can enter,
 * given its mode and group there, and moved to its place: it is never more open than it should be.
 */
final class UnixSocketFile {

  private static final Logger LOG = LoggerFactory.getLogger(UnixSocketFile.class);

  /** The length of the kernel's {@code sun_path}, less the zero at its end. */
  private static final int MAX_PATH = 107;

  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET = 0140000;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_AND_GROUP =
      PosixFilePermissions.fromString("rw-rw----");

  private static final Set<PosixFilePermission> EVERYBODY =
      PosixFilePermissions.fromString("rw-rw-rw-");

  private final Path path;
  private final Path directory;

  UnixSocketFile(Path path) {
    this.path = path.toAbsolutePath();
    this.directory = Objects.requireNonNullElse(this.path.getParent(), this.path);
  }

  BoundSocket bind() throws ListenException {
    checkLength(path);
    checkPlace();
    try {
      return bindInPrivate();
    } catch (AccessDeniedException e) {
      throw failed("no permission to write to " + directory);
    } catch (NoSuchFileException e) {
      throw failed("there is no directory " + directory);
    } catch (FileSystemException e) {
      throw failed(Objects.requireNonNullElse(e.getReason(), e.toString()));
    } catch (IOException e) {
      throw failed(e.getMessage());
    }
  }

  private BoundSocket bindInPrivate() throws IOException, ListenException {
    Path room =
        Files.createDirectory(
            room(),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path made = room.resolve("s");
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      checkLength(made);
      channel.bind(UnixDomainSocketAddress.of(made));
      giveAway(made);
      Object identity = identity(made);
      Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
      return BoundSocket.plain(channel, true, path.toString(), () -> removeIfStill(identity));
    } catch (IOException | ListenException | RuntimeException e) {
      channel.close();
      throw e;
    } finally {
      Files.deleteIfExists(made);
      Files.deleteIfExists(room);
    }
  }

  /** Short, since its path has the same limit; new for each process, and removed at its end. */
  private Path room() throws IOException {
    Path room = directory.resolve("." + Long.toString(ProcessHandle.current().pid(), 36));
    if (Files.isDirectory(room, LinkOption.NOFOLLOW_LINKS)) {
      // Left by a process of the same number that was killed in between.
      Files.deleteIfExists(room.resolve("s"));
      Files.delete(room);
    }
    return room;
  }

  private void giveAway(Path socket) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
    boolean shared = FleetGroup.take(socket) || FleetGroup.isRoots(socket);
    // The group of a plain user may contain everybody.
    Set<PosixFilePermission> some = shared ? OWNER_AND_GROUP : OWNER_ONLY;
    // Each request then needs a grant.
    view.setPermissions(shared && FleetGroup.hasLesser(socket) ? EVERYBODY : some);
  }

  private static Object identity(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
  }

  /** Another fleetd may have made its own there since. */
  private void removeIfStill(Object identity) {
    try {
      if (identity(path).equals(identity)) {
        Files.delete(path);
      }
    } catch (IOException e) {
      LOG.debug("{} is left as it is", path, e);
    }
  }

  /** Refuses a path that is not a socket, and a socket that answers. */
  private void checkPlace() throws ListenException {
    int mode;
    try {
      mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      // Nothing is there, or it cannot be examined: making the socket will tell.
      return;
    }
    if ((mode & FILE_TYPE) != SOCKET) {
      throw failed("there is something else at this path, remove it or choose another path");
    }
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(path)).close();
      throw new ListenException(
          "another fleetd answers at "
              + path
              + ", or systemd in its place: stop that one, or choose another path");
    } catch (ConnectException e) {
      LOG.info("replacing {}, which nobody answers", path);
    } catch (IOException e) {
      throw failed("there is a socket that cannot be tried: " + e.getMessage());
    }
  }

  private void checkLength(Path checked) throws ListenException {
    int length = checked.toString().getBytes(UTF_8).length;
    if (length > MAX_PATH) {
      throw failed("the path is too long by " + (length - MAX_PATH) + " bytes");
    }
  }

  private ListenException failed(@Nullable String why) {
    return new ListenException("cannot listen at " + path + ": " + why);
  }
}
