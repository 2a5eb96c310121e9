package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A class name means one thing: it occurs in one module, tests included. Nested classes are read
 * with the class around them, and may share theirs.
 */
class ClassNamesTest {

  /** Names that may occur in several modules, with the reason. */
  private static final Map<String, String> SHARED =
      Map.of(
          "Main", "where a program begins, which its package names",
          "package-info", "the name that Java gives to what is said of a package");

  private static final List<String> SOURCES = List.of("src/main/java", "src/test/java");

  @Test
  void aClassNameOccursInOneModule() throws IOException {
    Map<String, Set<String>> modules = new TreeMap<>();
    for (String module : Checkout.modules()) {
      for (String name : classNames(module)) {
        modules.computeIfAbsent(name, _ -> new TreeSet<>()).add(module);
      }
    }
    modules.keySet().removeAll(SHARED.keySet());
    modules.values().removeIf(having -> having.size() == 1);
    assertThat(modules)
        .as("class names in several modules: say which of the things it is")
        .isEmpty();
  }

  private static Set<String> classNames(String module) throws IOException {
    Set<String> names = new TreeSet<>();
    for (String sources : SOURCES) {
      Path folder = Checkout.file(module).resolve(sources);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(".java"))
              .forEach(file -> names.add(file.substring(0, file.length() - ".java".length())));
        }
      }
    }
    return names;
  }
}
