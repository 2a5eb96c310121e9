package fleet.fleetctl.login;

import fleet.fleetctl.http.Dialer;
import fleet.fleetctl.http.Endpoint;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Renews the certificate of a context with a new key, in the middle of an ordinary command, when
 * half of its time is over. A fault here does not fail that command: there is time left.
 */
public final class PersonRenewal {

  private static final long LIMIT_MILLIS = 5_000;

  private final Path file;
  private final List<Endpoint> servers;
  private final Clock clock;
  private final Consumer<String> debug;

  /**
   * @param file of the identity
   * @param debug takes a line of what was done
   */
  public PersonRenewal(Path file, List<Endpoint> servers, Clock clock, Consumer<String> debug) {
    this.file = file;
    this.servers = List.copyOf(servers);
    this.clock = clock;
    this.debug = debug;
  }

  /** Makes the next command renew it, since the authority has changed. */
  static void wish(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    } catch (IOException e) {
      // The next command tries again.
      return;
    }
  }

  /** Renews it if it is time, and no other process does. */
  public void renewIfDue() {
    try {
      if (isDue()) {
        renewAlone();
      }
    } catch (IOException | OverlappingFileLockException e) {
      debug.accept("the certificate was not renewed: " + e.getMessage());
    }
  }

  /** By the clock here alone, which may differ from the server's by hours. */
  private boolean isDue() throws IOException {
    Instant written = Files.getLastModifiedTime(file).toInstant();
    Duration age = Duration.between(written, clock.instant());
    return age.compareTo(PersonIdentity.read(file).halfLife()) >= 0;
  }

  private void renewAlone() throws IOException {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(
                lock,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        FileLock held = channel.tryLock()) {
      // Somebody else may have been faster.
      if (held != null && isDue()) {
        Dialer dialer = new Dialer(servers, ClusterTls.of(file, clock));
        PersonIdentity next = new CertificateClient(dialer, LIMIT_MILLIS).renew().identity();
        next.write(file);
        debug.accept("the certificate was renewed, until " + next.expires());
      }
    }
  }
}
