package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A class name means one thing: it occurs in one package of one module, tests included. Nested
 * classes are read with the class around them, and may share theirs.
 */
class ClassNamesTest {

  /** Names that may occur in several packages, with the reason. */
  private static final Map<String, String> SHARED =
      Map.of(
          "Main", "where a program begins, which its package names",
          "package-info", "the name that Java gives to what is said of a package");

  private static final List<String> SOURCES = List.of("src/main/java", "src/test/java");

  @Test
  void aClassNameOccursInOnePackage() throws IOException {
    Map<String, Set<String>> folders = new TreeMap<>();
    for (String module : Checkout.modules()) {
      for (Path file : classes(module)) {
        String name = file.getFileName().toString().replace(".java", "");
        folders.computeIfAbsent(name, _ -> new TreeSet<>()).add(file.resolveSibling("").toString());
      }
    }
    folders.keySet().removeAll(SHARED.keySet());
    folders.values().removeIf(having -> having.size() == 1);
    assertThat(folders)
        .as("class names in several packages: say which of the things it is")
        .isEmpty();
  }

  private static List<Path> classes(String module) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String sources : SOURCES) {
      Path folder = Checkout.file(module).resolve(sources);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
        }
      }
    }
    return all;
  }
}
