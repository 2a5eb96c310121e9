package fleet.fleetd.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Tells whether the journal reads a stream. */
public final class JournalStream {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private JournalStream() {}

  /**
   * Whether standard error goes to the journal. {@code JOURNAL_STREAM} alone does not say so: a
   * shell below a service hands it on, and redirects the stream.
   */
  public static boolean isStandardError(Map<String, String> environment) {
    return matches(environment.getOrDefault("JOURNAL_STREAM", ""), STANDARD_ERROR);
  }

  /**
   * @param stream device and inode, such as {@code 8:1234}
   */
  static boolean matches(String stream, Path file) {
    if (stream.isEmpty()) {
      return false;
    }
    try {
      Map<String, Object> attributes = Files.readAttributes(file, "unix:dev,ino");
      return stream.equals(attributes.get("dev") + ":" + attributes.get("ino"));
    } catch (IOException e) {
      return false;
    }
  }
}
