package fleet.trust;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Where a server keeps the {@link ServerKey}: one line of hexadecimal digits, for its owner alone.
 */
public final class ServerKeyFile {

  private static final String NAME = "server.key";

  private final Path file;

  /**
   * Nothing is read yet.
   *
   * @param data the data directory of fleetd
   */
  public ServerKeyFile(Path data) {
    this.file = data.resolve(NAME);
  }

  /**
   * The key; empty if there is none.
   *
   * @throws TrustException if the file holds something else, or cannot be read
   */
  Optional<ServerKey> read() throws TrustException {
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      byte[] secret = HexFormat.of().parseHex(Files.readString(file, US_ASCII).strip());
      return Optional.of(ServerKey.of(secret));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new TrustException(
          "%s holds no server key (%s): restore it from a backup, or copy it from another server"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** The key, made if there is none. */
  ServerKey readOrCreate() throws TrustException {
    Optional<ServerKey> there = read();
    if (there.isPresent()) {
      return there.get();
    }
    ServerKey made = ServerKey.create();
    try {
      Path complete = written(made);
      try {
        // Fails if another one was faster, and never shows half a key.
        Files.createLink(file, complete);
      } finally {
        Files.delete(complete);
      }
      force();
      return made;
    } catch (FileAlreadyExistsException e) {
      return read().orElseThrow(() -> failed(e));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Keeps a key in place of the former one, which stays beside it. */
  void replace(ServerKey key) throws TrustException {
    Optional<ServerKey> former = read();
    try {
      if (former.isPresent()) {
        Files.move(
            file,
            file.resolveSibling(NAME + "-" + former.get().id()),
            StandardCopyOption.ATOMIC_MOVE);
      }
      Files.move(written(key), file, StandardCopyOption.ATOMIC_MOVE);
      force();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Path written(ServerKey key) throws IOException {
    Path next = file.resolveSibling(NAME + "." + UUID.randomUUID());
    try (FileChannel channel =
        FileChannel.open(
            next,
            Set.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer bytes = ByteBuffer.wrap((key.hex() + "\n").getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    return next;
  }

  private void force() throws IOException {
    try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
      directory.force(true);
    }
  }

  private TrustException failed(IOException why) {
    return new TrustException(file + " cannot be written: " + why.getMessage(), why);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
