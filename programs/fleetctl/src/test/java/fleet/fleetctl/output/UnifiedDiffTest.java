package fleet.fleetctl.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnifiedDiffTest {

  @TempDir Path directory;

  private static String diff(String before, String after) {
    return UnifiedDiff.of("a", before, "b", after).stream()
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String numbers(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(number -> number + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void equalTextsHaveNone() {
    assertThat(diff("x\n", "x\n")).isEmpty();
    assertThat(diff("", "")).isEmpty();
  }

  @Test
  void aChangeStandsBetweenThreeLinesThatStay() {
    assertThat(diff(numbers(1, 9), numbers(1, 4) + "five\n" + numbers(6, 9)))
        .isEqualTo(
            """
            --- a
            +++ b
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
             8
            """);
  }

  @Test
  void changesFarFromEachOtherAreHunksOfTheirOwn() {
    String after = "0\n" + numbers(1, 7) + numbers(9, 14) + "15\n16\n";
    assertThat(diff(numbers(1, 14), after))
        .isEqualTo(
            """
            --- a
            +++ b
            @@ -1,3 +1,4 @@
            +0
             1
             2
             3
            @@ -5,10 +6,11 @@
             5
             6
             7
            -8
             9
             10
             11
             12
             13
             14
            +15
            +16
            """);
  }

  @Test
  void aTextThatIsNewOrGoneIsWhole() {
    assertThat(diff("", "x\ny\n")).isEqualTo("--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+y\n");
    assertThat(diff("x\n", "")).isEqualTo("--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
  }

  @Test
  void aMissingLineEndIsADifference() {
    assertThat(diff("x", "x\n"))
        .isEqualTo("--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  }

  /** The fewest edits of texts without a common line would take minutes. */
  @Test
  void longTextsThatHaveLittleInCommonAreReplacedWhole() {
    List<String> diff = UnifiedDiff.of("a", numbers(1, 100_000), "b", numbers(200_000, 300_000));
    assertThat(diff).hasSize(3 + 100_000 + 100_001).contains("-100000", "+200000");
  }

  @Test
  void nothingIsHiddenFromPeople() {
    assertThat(UnifiedDiff.shown("+A=\tb\r\033[2Kc\u200b\u202ed"))
        .isEqualTo("+A=\tb\\x0d\\x1b[2Kc\\u200b\\u202ed");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void patchMakesTheOtherTextOfIt(long seed) throws Exception {
    var random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      String before = text(random);
      String after = text(random);
      assertThat(patched(before, UnifiedDiff.of("a", before, "a", after)))
          .as(before + "\n=>\n" + after)
          .isEqualTo(after);
    }
  }

  private static String text(Random random) {
    String text =
        random
            .ints(random.nextInt(40), 'a', 'a' + 3)
            .mapToObj(letter -> (char) letter + "\n")
            .collect(Collectors.joining());
    return text.isEmpty() || random.nextBoolean() ? text : text.substring(0, text.length() - 1);
  }

  private String patched(String before, List<String> diff)
      throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("a"), before);
    if (diff.isEmpty()) {
      return before;
    }
    Path patch = Files.writeString(directory.resolve("patch"), String.join("\n", diff) + "\n");
    Process process =
        new ProcessBuilder("git", "apply", "--unsafe-paths", "-p0", patch.toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return Files.exists(file) ? Files.readString(file) : "";
  }
}
