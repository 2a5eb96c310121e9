package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests wait for events, and never measure how fast the machine is that they run on. */
class TestTimeTest {

  private static final Map<String, String> MAY_SLEEP =
      Map.of(
          "Await", "polls conditions for which no event exists, for all other tests",
          "BootedMachine", "polls machines, for all tests on machines",
          "Container", "polls a machine that boots",
          "EtcdMember", "polls an etcd that starts",
          "EtcdProxy", "delays what it passes on, as the test wants",
          "JournalApiTest", "no event tells that a stream has come to rest",
          "JournalCommandTest", "no event tells that a stream has come to rest");

  private static final Map<String, String> MAY_LIMIT =
      Map.of(
          "ServerComponentsTest", "looks for a while that nothing is told",
          "HandedOverTest", "ends a process by force that does not end",
          "LostAnswerTest", "lets what does not come be, and tells by the sum",
          "PrivateManager", "gives up a systemd that hangs",
          "Container", "ends a process by force that does not end");

  private static final Pattern LIMIT =
      Pattern.compile(
          "@[\\w.]*\\bTimeout\\b|assertTimeout|orTimeout|(?:succeeds|fails)Within\\((?!Hangs\\.)"
              + "|\\.(?:poll|await|get|read|tryAcquire|waitFor)\\((?!Hangs\\.)[^;]*\\b(?:SECONDS|MINUTES)\\)"
              + "|\\.(?:await\\w*|begin)\\([^;]*Duration\\.of(?:Millis|Seconds|Minutes)\\(");

  private static final Pattern COMMENT = Pattern.compile("(?s)//[^\n]*|/\\*.*?\\*/");
  private static final Pattern SLEEP =
      Pattern.compile("Thread\\.sleep|[A-Z]*SECONDS\\.sleep|parkNanos|parkUntil");
  private static final String ELAPSED =
      "(?:(?:nanoTime|currentTimeMillis)\\(\\)\\s*-|Duration\\.between\\("
          + "|assertThat\\(System\\.(?:nanoTime|currentTimeMillis))";
  private static final Pattern VARIABLE = Pattern.compile("(\\w+)\\s*=\\s*[^;]*?" + ELAPSED);
  private static final Pattern METHOD =
      Pattern.compile("(\\w+)\\([^()]*\\)[^{};]*\\{\\s*return [^;]*" + ELAPSED);
  private static final Pattern UPPER_BOUND =
      Pattern.compile("\\.(?:isLessThan|isLessThanOrEqualTo|isBetween|isCloseTo)\\(");

  @Test
  void noTestSleeps() throws IOException {
    assertThat(sources())
        .filteredOn(source -> SLEEP.matcher(code(source)).find())
        .extracting(TestTimeTest::className)
        .as("wait for an event, or poll with fleet.core.testing.Await")
        .containsExactlyInAnyOrderElementsOf(MAY_SLEEP.keySet());
  }

  /**
   * A test that hangs fails after twenty minutes, see the pom; a busy machine fails none before.
   */
  @Test
  void noTestHasALimitOfItsOwn() throws IOException {
    assertThat(sources())
        .filteredOn(source -> LIMIT.matcher(code(source)).find())
        .extracting(TestTimeTest::className)
        .as("wait without a limit, or poll with fleet.core.testing.Await")
        .containsExactlyInAnyOrderElementsOf(MAY_LIMIT.keySet());
  }

  @Test
  void noTestBoundsTheTimeThatHasPassed() throws IOException {
    List<String> bounds = new ArrayList<>();
    for (Path source : sources()) {
      upperBounds(code(source)).forEach(bound -> bounds.add(className(source) + ": " + bound));
    }
    assertThat(bounds).as("use the loop's clock, an order of events, or a benchmark").isEmpty();
  }

  @Test
  void aBoundIsFoundHoweverTheTimeIsTaken() {
    assertThat(upperBounds("assertThat(System.nanoTime() - begun).isLessThan(5);")).hasSize(1);
    assertThat(upperBounds("assertThat(System.nanoTime()).isLessThan(end);")).hasSize(1);
    assertThat(upperBounds("Duration d = Duration.between(a, b); assertThat(d).isBetween(A, B);"))
        .hasSize(1);
    assertThat(
            upperBounds(
                "long since() { return System.nanoTime() - t; } ... since()"
                    + "; assertThat(since()).isLessThan(TTL);"))
        .hasSize(1);
    assertThat(upperBounds("assertThat(System.nanoTime() - begun).isGreaterThan(5);")).isEmpty();
    assertThat(upperBounds("assertThat(size).isLessThan(5);")).isEmpty();
  }

  private static List<String> upperBounds(String code) {
    Set<String> elapsed = new HashSet<>(Checkout.all(VARIABLE, code));
    elapsed.addAll(Checkout.all(METHOD, code));
    String names =
        elapsed.stream().map(name -> "|\\b" + name + "\\b").collect(Collectors.joining());
    Pattern time = Pattern.compile(ELAPSED + names);
    return Stream.of(code.split(";", -1))
        .filter(statement -> UPPER_BOUND.matcher(statement).find())
        .filter(statement -> time.matcher(statement).find())
        .map(String::strip)
        .toList();
  }

  private static String code(Path source) {
    try {
      return COMMENT.matcher(Files.readString(source)).replaceAll("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String className(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  /** The tests of all modules, and the test kit; without this class, which names what it seeks. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Checkout.file("."))) {
      List<Path> sources =
          files
              .filter(file -> file.toString().matches(".*/src/test/java/.*|.*/testkit/src/main/.*"))
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !className(file).equals("TestTimeTest"))
              .toList();
      assertThat(sources).hasSizeGreaterThan(300);
      return sources;
    }
  }
}
