package fleet.agent.isolation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The file that says when the guard stops units, and when it kills what is left. It can always be
 * read whole, and is rewritten without more space: a full file system stops no unit.
 *
 * <p>Two files take turns; the deadline is another name of one of them. For one thread at a time.
 */
final class DeadlineFile {

  private final Path file;
  private final Path next;
  private final List<Path> turns;

  DeadlineFile(Path directory) {
    this.file = directory.resolve("deadline");
    this.next = directory.resolve(".deadline.next");
    this.turns = List.of(directory.resolve(".deadline.0"), directory.resolve(".deadline.1"));
  }

  /**
   * @param stop in hundredths of a second since the boot
   * @param kill likewise
   */
  void putOff(long stop, long kill) throws IOException {
    Path free = turns.getFirst();
    if (Files.exists(file) && Files.exists(free) && Files.isSameFile(file, free)) {
      free = turns.getLast();
    }
    Files.write(
        free,
        // As long as any two numbers are: what is shorter would leave an end of the one before.
        "%-20d %-20d\n".formatted(stop, kill).getBytes(US_ASCII),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
    Files.deleteIfExists(next);
    Files.createLink(next, free);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  void remove() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(next);
    for (Path turn : turns) {
      Files.deleteIfExists(turn);
    }
  }
}
