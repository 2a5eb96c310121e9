package fleet.registry.embedded;

import fleet.registry.RegistryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The first bytes of a database, read without SQLite. */
final class DatabaseHeader {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int LENGTH = 100;
  private static final int PAGE_SIZE = 16;
  private static final int PAGES = 28;
  private static final int USER_VERSION = 60;
  private static final int APPLICATION_ID = 68;

  private DatabaseHeader() {}

  /**
   * Checks that SQLite can open the file safely.
   *
   * @return the size of its pages, in bytes
   * @throws RegistryException if it is damaged, foreign, or too new
   */
  static int check(RegistryFiles files, FileFaults faults) {
    String name = RegistryFiles.DATABASE;
    ByteBuffer header = ByteBuffer.wrap(read(files));
    if (header.limit() == 0) {
      throw faults.damaged(name, "is empty");
    }
    if (header.limit() < LENGTH) {
      throw faults.damaged(name, "is cut off within its header");
    }
    if (!header.slice(0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC))) {
      throw faults.damaged(name, "is damaged or no registry: it is not an SQLite database");
    }
    if (header.getInt(APPLICATION_ID) != Database.APPLICATION_ID) {
      throw faults.damaged(name, "is damaged or no registry: another program's SQLite database");
    }
    checkFormat(header.getInt(USER_VERSION), files);
    int pageSize = header.getShort(PAGE_SIZE) & 0xffff;
    if (Integer.bitCount(pageSize) != 1 || pageSize < 512) {
      throw faults.damaged(name, "is damaged: its header gives an impossible page size");
    }
    long expected = (long) header.getInt(PAGES) * pageSize;
    // With a log at hand the file may rightly be shorter: a crash while the log was copied back.
    if (files.size(name) < expected && files.size(RegistryFiles.LOG) == 0) {
      throw faults.damaged(
          name, "is cut off: %d bytes of %d".formatted(files.size(name), expected));
    }
    return pageSize;
  }

  private static void checkFormat(int format, RegistryFiles files) {
    if (format != Database.FORMAT) {
      throw new RegistryException(
          ("registry refused: %s has format %d, this fleetd reads format %d; use the fleetd that"
                  + " wrote it, or a newer one")
              .formatted(files.path(RegistryFiles.DATABASE), format, Database.FORMAT));
    }
  }

  private static byte[] read(RegistryFiles files) {
    try (InputStream in = Files.newInputStream(files.path(RegistryFiles.DATABASE))) {
      return in.readNBytes(LENGTH);
    } catch (IOException e) {
      throw RegistryFiles.unusable(files.path(RegistryFiles.DATABASE), e);
    }
  }
}
