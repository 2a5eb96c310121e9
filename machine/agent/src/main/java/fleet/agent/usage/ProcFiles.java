package fleet.agent.usage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Numbers out of the small files of {@code /proc} and of control groups, which come and go. */
public final class ProcFiles {

  private ProcFiles() {}

  /** The whole file; empty if it cannot be read. */
  public static Optional<String> text(Path file) {
    try {
      return Optional.of(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** A file that holds one number. */
  public static OptionalLong number(Path file) {
    return text(file).map(String::strip).map(ProcFiles::parse).orElse(OptionalLong.empty());
  }

  /** The number behind a name at the start of a line. */
  public static OptionalLong number(Path file, String name) {
    return text(file).stream()
        .flatMap(String::lines)
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(name.length()).strip().split(" ", 2)[0])
        .map(ProcFiles::parse)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  public static Stream<String> lines(Path file) {
    return text(file).stream().flatMap(String::lines);
  }

  public static OptionalLong parse(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException other) {
      return OptionalLong.empty();
    }
  }
}
