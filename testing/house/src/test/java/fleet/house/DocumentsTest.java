package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The statements of documents that a program can check. */
class DocumentsTest {

  private static final Pattern DEV_COMMAND = Pattern.compile("(?m)^\\s*(?:\\$ )?\\./dev ([a-z]+)");
  private static final Pattern DEV_MENTION = Pattern.compile("`\\./dev ([a-z]+)[^`]*`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");
  private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)\\s]*#[^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern MAPS =
      Pattern.compile("ARCHITECTURE\\.md$|docs/internals/|docs/(?:changing|testing)\\.md$");
  private static final Pattern SIMPLE_NAME = Pattern.compile("`([A-Z][a-z]\\w*)`");
  private static final Pattern NAME = Pattern.compile("`([A-Z][a-z]\\w*)(?:\\.\\w+)?`");
  private static final Pattern WORD = Pattern.compile("\\b([A-Z][a-z]\\w*)\\b");
  private static final Set<String> OF_OTHERS =
      Set.of(
          "DisableUnitFiles",
          "EnableUnitFiles",
          "MemoryDenyWriteExecute",
          "PrivateDevices",
          "PrivateTmp",
          "ProtectKernelModules",
          "ProtectProc",
          "Tier3InvocationThreshold");
  private static final Pattern EXAMPLE = Pattern.compile("Example: `([^`]+)`");
  private static final Pattern LISTED = Pattern.compile("(?m)^\\| (`[^|]+) \\|");
  private static final Pattern LISTED_FILE = Pattern.compile("`([^`]+)`");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern DIALECT =
      Pattern.compile(
          "(?i)\\b(anew|by and by|had better|shall|go(?:es)? by|whoever|(?:is|are) to be)\\b");

  /** At the beginning of a sentence that is no question. */
  private static final Pattern PRONOUN =
      Pattern.compile(
          "(?:\\A|\\n\\n|\\n[-*] |\\. |\\| )((?:What|Who|Whoever|Whose|Whom|That which)\\b[^?|\\n]*)(?=[\\n|])");

  private static final Pattern CREATED = Pattern.compile("\\bnew (\\w+)\\(");
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

  /** The examples that are shown are compiled and tested. */
  @Test
  void theExamplesOfRulesAreThoseThatAreTested() throws Exception {
    List<String> shown = Checkout.all(JAVA_BLOCK, Checkout.text("docs/rules.md"));
    Path folder = Checkout.file("server/scheduler/src/test/java/fleet/scheduler/example");
    List<String> tested = new ArrayList<>();
    for (String name : List.of("CanaryFilter.java", "Cheapest.java")) {
      tested.add(Files.readString(folder.resolve(name)));
    }
    assertThat(shown).hasSameSizeAs(tested);
    for (int i = 0; i < shown.size(); i++) {
      assertThat(tested.get(i)).endsWith(shown.get(i));
    }
  }

  /** The line to add is shown behind those that are there. */
  @Test
  void theRulesShownAreThoseOfTheScheduler() throws Exception {
    String rules = Checkout.text("server/scheduler/src/main/java/fleet/scheduler/Rules.java");
    List<String> strategies =
        new ArrayList<>(Checkout.all(CREATED, rules.substring(rules.indexOf("strategies("))));
    strategies.add("Cheapest");
    String shown = Checkout.text("docs/rules.md");
    assertThat(Checkout.all(CREATED, shown.substring(shown.indexOf("strategies(long"))))
        .isEqualTo(strategies);
  }

  /** Changes are kept as they were written. */
  @Test
  void documentsAreInPlainEnglish() throws Exception {
    List<String> found = new ArrayList<>();
    for (Path document : documents()) {
      if (!document.endsWith("CHANGELOG.md")) {
        String prose = prose(document);
        Stream.of(DIALECT, PRONOUN)
            .flatMap(pattern -> Checkout.all(pattern, prose).stream())
            .forEach(words -> found.add(document.getFileName() + ": " + words));
      }
    }
    assertThat(found).as("begin with the thing, and use plain words").isEmpty();
  }

  @Test
  void noMergeIsLeftHalfDone() throws Exception {
    for (Path document : documents()) {
      assertThat(Files.readString(document))
          .as(document.toString())
          .doesNotContainPattern("(?m)^(?:<{7}|>{7}) ");
    }
  }

  @Test
  void linksToHeadingsLeadSomewhere() throws Exception {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (String link : Checkout.all(ANCHOR, prose(document))) {
        String file = link.substring(0, link.indexOf('#'));
        Path target = file.isEmpty() ? document : document.resolveSibling(file);
        if (!link.contains("://") && !anchors(target).contains(link.substring(file.length() + 1))) {
          broken.add(document + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** The names by which a browser reaches the headings of a document. */
  private static List<String> anchors(Path document) throws IOException {
    return Checkout.all(HEADING, prose(document)).stream()
        .map(heading -> heading.replace("&lt;", "").replace("&gt;", "").strip())
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .toList();
  }

  private static String prose(Path document) throws IOException {
    return CODE_BLOCK.matcher(Files.readString(document)).replaceAll("");
  }

  @Test
  void theArchitectureIsAMap() throws Exception {
    assertThat(Files.size(Checkout.file("ARCHITECTURE.md"))).isLessThanOrEqualTo(12 * 1024);
  }

  /** In the map, in its depth, and in the check-lists. */
  @Test
  void classesAreNamedAsTheyAre() throws Exception {
    List<String> known = sources().map(DocumentsTest::simpleName).toList();
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      if (MAPS.matcher(document.toString()).find()) {
        Checkout.all(SIMPLE_NAME, prose(document)).stream()
            .filter(name -> !known.contains(name))
            .forEach(name -> unknown.add(document.getFileName() + ": " + name));
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** Decisions also name parts of classes, and what belongs to others. */
  @Test
  void decisionsNameWhatIsThere() throws Exception {
    Set<String> words = new HashSet<>(OF_OTHERS);
    for (Path source : Checkout.sources()) {
      words.addAll(Checkout.all(WORD, Files.readString(source)));
    }
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      if (document.toString().contains("docs/decisions/")) {
        Checkout.all(NAME, prose(document)).stream()
            .filter(name -> !words.contains(name))
            .forEach(name -> unknown.add(document.getFileName() + ": " + name));
      }
    }
    assertThat(unknown).isEmpty();
  }

  private static Stream<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : Checkout.modules()) {
      Path folder = Checkout.file(module).resolve("src");
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    return sources.stream();
  }

  private static String simpleName(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  /** Every file on a check-list has the example of its list, however it is spelled there. */
  @Test
  void checkListsAreThoseOfTheirExamples() throws Exception {
    List<Path> sources = sources().toList();
    List<String> lists =
        List.of(Checkout.text("docs/changing.md").split("\n## ")).stream().skip(1).toList();
    assertThat(lists).hasSizeGreaterThan(8);
    List<String> wrong = new ArrayList<>();
    for (String list : lists) {
      String example = plain(Checkout.all(EXAMPLE, list).getFirst());
      for (String row : Checkout.all(LISTED, list)) {
        for (String file : Checkout.all(LISTED_FILE, row)) {
          Path found = listed(file, sources);
          if (!Files.exists(found)) {
            wrong.add(file + " does not exist");
          } else if (!plain(Files.readString(found)).contains(example)) {
            wrong.add(file + " has nothing of " + example);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static Path listed(String file, List<Path> sources) throws IOException {
    int gap = file.indexOf("/…/");
    if (gap < 0) {
      return Checkout.file(file);
    }
    Path module = Checkout.module(file.substring(0, gap));
    return sources.stream()
        .filter(source -> source.startsWith(module) && source.endsWith(file.substring(gap + 3)))
        .findFirst()
        .orElse(module.resolve(file.substring(gap + 3)));
  }

  private static String plain(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
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
