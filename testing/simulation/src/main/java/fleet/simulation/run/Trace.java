package fleet.simulation.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.zip.CRC32C;

/** The events of a run, line by line: the last lines to read, and a checksum of all of them. */
public final class Trace {

  private static final int KEPT = 20_000;

  private final Deque<String> lines = new ArrayDeque<>();
  private final CRC32C checksum = new CRC32C();
  private String directory = "";
  private long count;

  /** Where this run has its files, which is elsewhere in the next: lines leave it out. */
  public void leaveOut(Path own) {
    directory = own.toString();
  }

  void add(long nanos, String line) {
    String full = "%12.6f %s".formatted(nanos / 1e9, line.replace(directory, ""));
    byte[] bytes = full.getBytes(StandardCharsets.UTF_8);
    checksum.update(bytes, 0, bytes.length);
    count++;
    remark(full);
  }

  /** A line for the reader that does not count. */
  void remark(String line) {
    lines.add(line);
    if (lines.size() > KEPT) {
      lines.removeFirst();
    }
  }

  /** Equal for two runs in which the same happened at the same times. */
  public String checksum() {
    return "%d-%08x".formatted(count, checksum.getValue());
  }

  /** The last lines, oldest first. */
  public String text() {
    return String.join("\n", lines);
  }
}
