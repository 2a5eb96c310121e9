package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What documents say that a program can check. */
class DocumentsTest {

  private static final Pattern DEV_COMMAND = Pattern.compile("(?m)^\\s*(?:\\$ )?\\./dev ([a-z]+)");
  private static final Pattern DEV_MENTION = Pattern.compile("`\\./dev ([a-z]+)[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");
  private static final Pattern CLASS = Pattern.compile("`(fleet(?:\\.[a-z]+)+\\.[A-Z][A-Za-z]*)");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern JAR =
      Pattern.compile("(.+?)-(\\d[^/]*?)(-tests|-linux-\\w+)?\\.jar");

  @Test
  void theReadmesCommandsExist() throws Exception {
    String readme = Checkout.text("README.md");
    List<String> commands = new ArrayList<>(Checkout.all(DEV_COMMAND, readme));
    commands.addAll(Checkout.all(DEV_MENTION, readme));
    assertThat(commands).contains("up", "test");

    String help = help();

    assertThat(commands)
        .allSatisfy(command -> assertThat(help).containsPattern("(?m)^  " + command + "\\b"));
  }

  private static String help() throws Exception {
    Process process =
        new ProcessBuilder(Checkout.file("dev").toString(), "--help")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(help).isZero();
    return help;
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws Exception {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (String link : Checkout.all(LINK, Files.readString(document))) {
        if (!link.contains("://") && !Files.exists(document.resolveSibling(link))) {
          broken.add(document + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** What is shown is what is compiled and tested. */
  @Test
  void theExamplesOfRulesAreThoseThatAreTested() throws Exception {
    List<String> shown = Checkout.all(JAVA_BLOCK, Checkout.text("docs/rules.md"));
    Path folder = Checkout.file("scheduler/src/test/java/fleet/scheduler/example");
    List<String> tested = new ArrayList<>();
    for (String name : List.of("CanaryFilter.java", "Cheapest.java")) {
      tested.add(Files.readString(folder.resolve(name)));
    }
    assertThat(shown).hasSameSizeAs(tested);
    for (int i = 0; i < shown.size(); i++) {
      assertThat(tested.get(i)).endsWith(shown.get(i));
    }
  }

  @Test
  void classesInTheArchitectureExist() throws Exception {
    List<String> known = Shipped.classes().stream().map(JavaClass::getName).toList();
    List<String> named = Checkout.all(CLASS, Checkout.text("ARCHITECTURE.md"));
    assertThat(named).hasSizeGreaterThan(20).allMatch(known::contains);
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> root = Files.list(Checkout.file("."));
        Stream<Path> docs = Files.walk(Checkout.file("docs"))) {
      Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .forEach(documents::add);
    }
    assertThat(documents).hasSizeGreaterThan(10);
    return documents;
  }

  /** With its version, which is what its licence was looked up for. */
  @Test
  void everyLibraryIsAccountedFor() throws Exception {
    String account = Checkout.text("docs/dependencies.md");
    List<String> libraries = libraries();
    assertThat(libraries).hasSizeGreaterThan(10);
    assertThat(libraries)
        .allSatisfy(library -> {
          Matcher jar = JAR.matcher(library);
          assertThat(jar.matches()).as(library).isTrue();
          assertThat(account.lines())
              .as("a line of docs/dependencies.md with `%s` and %s", jar.group(1), jar.group(2))
              .anyMatch(line ->
                  line.contains("`" + jar.group(1) + "`")
                      && line.contains("| " + jar.group(2) + " |"));
        });
  }

  /** The jars of others on the class path of fleetd, fleetctl and the tests. */
  private static List<String> libraries() {
    return Stream.of(System.getProperty("java.class.path", "").split(File.pathSeparator))
        .map(entry -> Path.of(entry).getFileName().toString())
        .filter(name -> name.endsWith(".jar") && !name.startsWith("fleet-"))
        .filter(name -> !name.startsWith("surefire") && !name.startsWith("junit-platform-launcher"))
        .toList();
  }
}
