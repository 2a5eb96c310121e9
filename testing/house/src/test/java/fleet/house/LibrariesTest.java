package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The libraries on the class path of fleetd, fleetctl and the tests, as files of Maven's
 * repository.
 */
class LibrariesTest {

  /** The folders of the group, then those of artefact and version. */
  private static final Pattern JAR =
      Pattern.compile(".*/repository/(.+)/([^/]+)/([^/]+)/\\2-\\3[^/]*\\.jar");

  private record Library(String name, String version) {
    static Stream<Library> at(Path file) {
      Matcher jar = JAR.matcher(file.toString());
      return jar.matches()
          ? Stream.of(
              new Library(jar.group(1).replace('/', '.') + ":" + jar.group(2), jar.group(3)))
          : Stream.empty();
    }
  }

  private record Advisory(String names, String fixed, String what) {
    static Advisory of(String line) {
      String[] parts = line.split(" ", 3);
      return new Advisory(parts[0], parts[1], parts[2]);
    }

    boolean concerns(Library library) {
      return isNamed(library.name()) && isOlder(library.version(), fixed);
    }

    private boolean isNamed(String name) {
      return names.endsWith("*")
          ? name.startsWith(names.substring(0, names.length() - 1))
          : name.equals(names);
    }
  }

  private static List<Path> files() {
    return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator))
        .filter(file -> JAR.matcher(file).matches())
        .map(Path::of)
        .toList();
  }

  private static List<Library> libraries() {
    return files().stream().flatMap(Library::at).distinct().toList();
  }

  private static List<Advisory> advisories() throws IOException {
    return Checkout.text("build/scripts/advisories")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(Advisory::of)
        .toList();
  }

  /** Number by number; what follows them, such as Final, says nothing of age. */
  private static boolean isOlder(String version, String than) {
    return Arrays.compare(numbers(version), numbers(than)) < 0;
  }

  private static int[] numbers(String version) {
    return Stream.of(version.split("[.-]"))
        .takeWhile(part -> part.matches("\\d+"))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  @Test
  void noneHasAFaultThatIsKnown() throws Exception {
    List<Library> libraries = libraries();
    assertThat(libraries).hasSizeGreaterThan(30);
    for (Advisory advisory : advisories()) {
      assertThat(libraries)
          .as("%s is fixed in %s: raise it in pom.xml", advisory.what(), advisory.fixed())
          .noneMatch(advisory::concerns);
    }
  }

  @Test
  void anAdvisoryConcernsOlderVersionsOfWhatItNames() {
    Advisory advisory = Advisory.of("io.netty:netty-* 4.2.18 a flood");
    for (String old : List.of("4.2.17.Final", "4.2.9.Final", "4.1.200.Final")) {
      assertThat(advisory.concerns(new Library("io.netty:netty-codec-http2", old))).isTrue();
    }
    assertThat(advisory.concerns(new Library("io.netty:netty-codec-http2", "4.2.18.Final")))
        .isFalse();
    assertThat(advisory.concerns(new Library("io.grpc:grpc-netty", "1.0"))).isFalse();
  }
}
