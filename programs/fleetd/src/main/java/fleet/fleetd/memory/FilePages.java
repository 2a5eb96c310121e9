package fleet.fleetd.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import fleet.fleetd.libc.SystemCall;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of files that this process has mapped to read: programs and classes, most of which are used
 * once, at the start. They are the system's copies of what is on disk, so that letting go of them
 * loses nothing; what is read again is mapped again. Linux alone would only do so when it is short
 * of memory.
 */
final class FilePages {

  private static final Logger LOG = LoggerFactory.getLogger(FilePages.class);

  private static final Path MAPPINGS = Path.of("/proc/self/smaps");

  private static final int MADV_DONTNEED = 4;

  private static final MethodHandle MADVISE =
      SystemCall.of("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  private FilePages() {}

  /**
   * A mapping that could be let go.
   *
   * @param start its first address
   * @param length in bytes
   */
  record Mapping(long start, long length) {}

  /** Lets go of all that are not written to. */
  static void letGo() {
    try {
      for (Mapping mapping : unwritten(Files.readAllLines(MAPPINGS))) {
        MemorySegment start = MemorySegment.ofAddress(mapping.start());
        int refused =
            SystemCall.make((_, state) ->
                (int) MADVISE.invokeExact(state, start, mapping.length(), MADV_DONTNEED));
        LOG.trace("{} let go: {}", mapping, refused == 0);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("pages of files stay", e);
    }
  }

  /**
   * The mappings of files in which not a page is this process's own.
   *
   * @param smaps as the kernel tells of them
   */
  static List<Mapping> unwritten(List<String> smaps) {
    List<Mapping> found = new ArrayList<>();
    Optional<String> file = Optional.empty();
    for (String line : smaps) {
      if (isHead(line)) {
        file = Optional.of(line).filter(FilePages::isFileToRead);
      } else if (line.startsWith("Anonymous:") && line.endsWith(" 0 kB")) {
        file.map(FilePages::mapping).ifPresent(found::add);
      }
    }
    return found;
  }

  /** Such as {@code 801b89000-803e6e000 r--p 01b89000 08:01 41 /opt/fleet/lib/fleetd.aot}. */
  private static boolean isHead(String line) {
    int dash = line.indexOf('-');
    return dash > 0 && dash < line.indexOf(' ');
  }

  private static boolean isFileToRead(String head) {
    return head.startsWith(" r-", head.indexOf(' ')) && head.contains(" /");
  }

  private static Mapping mapping(String head) {
    int dash = head.indexOf('-');
    long start = Long.parseUnsignedLong(head, 0, dash, 16);
    return new Mapping(
        start, Long.parseUnsignedLong(head, dash + 1, head.indexOf(' '), 16) - start);
  }
}
