package fleet.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The list of SHA-256 that Maven compares everything with that it takes from its local repository.
 * The builds here are those of build/scripts/error-prone, as {@code ./dev} starts them, and fetch
 * nothing.
 */
class ChecksumsTest {

  private static final String LIST = "checksums.sha256";
  private static final Pattern LINE = Pattern.compile("[0-9a-f]{64}  [^ /]+(/[^ /]+)+");

  /** The jar that each module has on its class path, below Maven's local repository. */
  private static final Pattern ANY_JAR =
      Pattern.compile("(.*)/(org/jspecify/jspecify/[^/]+/jspecify-[^/]+\\.jar)");

  private static final Predicate<String> VERSION =
      Pattern.compile("<version>[0-9.]+-SNAPSHOT</version>").asMatchPredicate();

  private final Path repository;
  private final String jar;

  ChecksumsTest() throws Exception {
    var location = NullMarked.class.getProtectionDomain().getCodeSource().getLocation();
    var path = ANY_JAR.matcher(Path.of(location.toURI()).toString());
    assertThat(path.matches()).as("%s is in Maven's repository", location).isTrue();
    this.repository = Path.of(path.group(1));
    this.jar = path.group(2);
  }

  private record Build(int exitCode, String output) {}

  /** Takes what is in the first repository from there, and the rest from this machine's. */
  private Build build(Path first, String... options) throws Exception {
    List<String> command =
        Stream.concat(
                Stream.of(
                    System.getProperty("fleet.maven"),
                    "--batch-mode",
                    "--offline",
                    "--file",
                    Checkout.file("build/scripts/error-prone").toString(),
                    "-Dmaven.repo.local=" + first,
                    "-Dmaven.repo.local.tail=" + repository,
                    "-Dmdep.outputFile=" + first.resolve("class-path")),
                Stream.concat(Stream.of(options), Stream.of(plugin() + ":build-classpath")))
            .toList();
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Build(process.waitFor(), output);
  }

  /** As build/scripts/tools pins it. */
  private static String plugin() throws IOException {
    return Checkout.all(
            Pattern.compile("dependency_plugin=(\\S+)"), Checkout.text("build/scripts/tools"))
        .getFirst();
  }

  private static List<String> lines() throws IOException {
    return Checkout.text(".mvn/" + LIST).lines().toList();
  }

  private static String path(String line) {
    return line.substring(line.indexOf("  ") + 2);
  }

  @Test
  void aBuildTakesWhatTheListHas(@TempDir Path first) throws Exception {
    Build build = build(first);
    assertThat(build.exitCode()).as(build.output()).isZero();
  }

  @Test
  void anAlteredJarInTheLocalRepositoryFailsTheBuild(@TempDir Path first) throws Exception {
    Path folder = repository.resolve(jar).getParent();
    Path forged = Files.createDirectories(first.resolve(jar).getParent());
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.copy(file, forged.resolve(file.getFileName()));
      }
    }
    Files.write(first.resolve(jar), new byte[] {0}, StandardOpenOption.APPEND);

    Build build = build(first);

    assertThat(build.exitCode()).isNotZero();
    assertThat(build.output()).contains("org.jspecify:jspecify").contains("checksum mismatch");
  }

  @Test
  void aJarThatTheListDoesNotHaveFailsTheBuild(@TempDir Path first) throws Exception {
    Files.write(
        first.resolve(LIST), lines().stream().filter(line -> !path(line).equals(jar)).toList());

    Build build = build(first, "-Daether.trustedChecksumsSource.summaryFile.basedir=" + first);

    assertThat(build.exitCode()).isNotZero();
    assertThat(build.output())
        .contains("Missing from summaryFile trusted checksum(s) [SHA-256]")
        .contains("org.jspecify:jspecify");
  }

  @Test
  void eachFileIsListedOnceInOrder() throws Exception {
    assertThat(lines()).hasSizeGreaterThan(500).allMatch(line -> LINE.matcher(line).matches());
    List<String> paths = lines().stream().map(ChecksumsTest::path).toList();
    assertThat(paths).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.naturalOrder());
  }

  /** Maven asks no list about snapshots. */
  @Test
  void onlyOurOwnModulesAreSnapshots() throws Exception {
    assertThat(lines()).noneMatch(line -> line.contains("SNAPSHOT") || line.contains("  fleet/"));
    String version =
        Checkout.text("pom.xml")
            .lines()
            .map(String::strip)
            .filter(VERSION)
            .findFirst()
            .orElseThrow();
    for (String module : Checkout.modules()) {
      assertThat(snapshots(module + "/pom.xml")).as(module).containsExactly(version);
    }
    assertThat(snapshots("pom.xml")).containsExactly(version);
  }

  private static List<String> snapshots(String pom) throws IOException {
    return Checkout.text(pom)
        .lines()
        .filter(line -> line.contains("SNAPSHOT"))
        .map(String::strip)
        .toList();
  }
}
