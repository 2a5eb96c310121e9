package fleet.fleetd.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Lines that are only ever appended, in a file that its owner alone can read. It is opened for each
 * line, so that log rotation needs no signal. Safe for use by many threads.
 */
record AuditFile(Path path) {

  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);

  /** Appends a line; of nothing, makes the file only. */
  void append(String line) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (FileChannel file = FileChannel.open(path, APPEND, owner)) {
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        int _ = file.write(bytes);
      }
    }
  }
}
