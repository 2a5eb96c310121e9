package fleet.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the project around this module. */
final class Checkout {

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Checkout() {}

  static Path file(String name) {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(directory.resolve("dev"))) {
      Path parent = directory.getParent();
      if (parent == null) {
        throw new IllegalStateException("run from within the project: no ./dev above here");
      }
      directory = parent;
    }
    return directory.resolve(name);
  }

  static String text(String name) throws IOException {
    return Files.readString(file(name));
  }

  /** The folders of the build's modules, as the root's pom.xml lists them. */
  static List<String> modules() throws IOException {
    return all(MODULE, text("pom.xml"));
  }

  /** The folder of a module, by its own name; the root for what is no module. */
  static Path module(String name) throws IOException {
    return file(
        modules().stream().filter(folder -> folder.endsWith("/" + name)).findFirst().orElse(name));
  }

  /** All Java files that people write. */
  static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(file("."))) {
      List<Path> sources =
          files
              .filter(file -> file.toString().matches(".*/src/(?:main|test)/java/.*\\.java"))
              .toList();
      if (sources.size() < 1_000) {
        throw new IllegalStateException("only " + sources.size() + " Java files are found");
      }
      return sources;
    }
  }

  /** All files of a folder, and of those below. */
  static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(file(folder))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** The first group of each match of a pattern in a text. */
  static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
  }
}
