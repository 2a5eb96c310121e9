package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comments begin with the thing that they are about. */
class CommentsTest {

  private static final String PRONOUN =
      "\\s+((?:What|Whatever|Who|Whoever|Whose|Whom|Of|That which)\\b[^\n]*)";

  /** A Javadoc, whose text may begin on the second line, or the first of several lines. */
  private static final Pattern OPENING =
      Pattern.compile(
          "(?m)(?:/\\*\\*?(?:\\s*\n\\s*\\*)?|(?<!//[^\n]{0,200}\n[ ]{0,40})//)" + PRONOUN);

  @Test
  void noCommentOpensWithAPronoun() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      Checkout.all(OPENING, Files.readString(source))
          .forEach(text -> found.add(source.getFileName() + ": " + text));
    }
    assertThat(found)
        .as("name the thing: \"The units asked for\", not \"What is asked for\"")
        .isEmpty();
  }

  @Test
  void anOpeningIsFoundHoweverTheCommentIsWritten() {
    assertThat(Checkout.all(OPENING, "/** What is asked for. */")).hasSize(1);
    assertThat(Checkout.all(OPENING, "/**\n   * Whose unit it is.\n   */")).hasSize(1);
    assertThat(Checkout.all(OPENING, "x();\n  // Who is killed says nothing.")).hasSize(1);
    assertThat(Checkout.all(OPENING, "/** The unit. What it says. */")).isEmpty();
    assertThat(Checkout.all(OPENING, "// A unit that goes.\n  // Who knows?")).isEmpty();
    assertThat(Checkout.all(OPENING, "/** Whole numbers. */")).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Checkout.file("."))) {
      List<Path> sources =
          files
              .filter(file -> file.toString().matches(".*/src/(?:main|test)/java/.*\\.java"))
              .filter(file -> !file.endsWith("CommentsTest.java"))
              .toList();
      assertThat(sources).hasSizeGreaterThan(1_000);
      return sources;
    }
  }
}
