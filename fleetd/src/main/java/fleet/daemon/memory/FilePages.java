package fleet.daemon.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** Else one byte of two megabytes that is read brings all of them back. */
  private static final int MADV_NOHUGEPAGE = 15;

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
      MethodHandle advise = madvise();
      for (Mapping mapping : unwritten(Files.readAllLines(MAPPINGS))) {
        for (int advice : List.of(MADV_NOHUGEPAGE, MADV_DONTNEED)) {
          int refused =
              (int)
                  advise.invokeExact(
                      MemorySegment.ofAddress(mapping.start()), mapping.length(), advice);
          LOG.trace("{}: advice {} taken: {}", mapping, advice, refused == 0);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("pages of files stay", e);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle madvise() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("madvise"),
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  private static final Pattern HEAD = Pattern.compile("(\\p{XDigit}+)-(\\p{XDigit}+) (\\S+) .*");

  private static final Pattern OWN_PAGES = Pattern.compile("Anonymous: +(\\d+) kB");

  /**
   * The mappings of files in which not a page is this process's own.
   *
   * @param smaps as the kernel tells of them
   */
  static List<Mapping> unwritten(List<String> smaps) {
    List<Mapping> found = new ArrayList<>();
    Optional<Mapping> current = Optional.empty();
    for (String line : smaps) {
      Matcher head = HEAD.matcher(line);
      Matcher ownPages = OWN_PAGES.matcher(line);
      if (head.matches()) {
        boolean isFileToRead = head.group(3).matches("r-.*") && line.contains(" /");
        current = isFileToRead ? Optional.of(mapping(head)) : Optional.empty();
      } else if (ownPages.matches() && ownPages.group(1).equals("0")) {
        current.ifPresent(found::add);
      }
    }
    return found;
  }

  private static Mapping mapping(Matcher head) {
    long start = Long.parseUnsignedLong(head.group(1), 16);
    return new Mapping(start, Long.parseUnsignedLong(head.group(2), 16) - start);
  }
}
