package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Comments begin with the thing that they are about, and their conditions are "if" or "when". */
class CommentsTest {

  /** A block, or all lines of a comment of lines. */
  private static final Pattern COMMENT =
      Pattern.compile("(/\\*(?s:.*?)\\*/|(?<![\":\\w])//[^\n]*(?:\n *//[^\n]*)*)");

  private static final Pattern OPENING =
      Pattern.compile(
          "\\A[/*\\s]+((?:What|Whatever|Who|Whoever|Whose|Whom|Of|That which)\\b[^\n]*)");

  /** Words that readers stumble over. */
  private static final Pattern DIALECT =
      Pattern.compile("(?i)\\b(anew|by and by|had better|in a hurry|shall|go(?:es)? by)\\b");

  private static final Pattern STUMBLES =
      Pattern.compile(
          "(?:#|//) (?:What|Who|Whose|Where|That)\\b|\\b[Ww]hoever\\b|\\bwhere (?:there|it) is");

  private static final Pattern LITERAL = Pattern.compile("(\"(?:[^\"\\\\\n]|\\\\.)*\")");

  /** On a constructor or method that needs no summary. */
  private static final Pattern EMPTY_SUMMARY =
      Pattern.compile(
          "/\\*\\*\\s+\\* ((?:Begins(?: to \\w+)?|As the other|(?:Runs|Does) nothing yet"
              + "|Nothing is \\w+ yet|Prepares(?: to \\w+| a \\w+)?)\\.)"
              + "\\s+\\*\\s+\\* @(?s:.(?!\\*/))+\\s*\\*/\\s++(?!public|protected|@)");

  private static final Pattern CONDITION = Pattern.compile("(?i)\\b(if|when)\\b");

  private static final Pattern PLACE = Pattern.compile("(?i)\\b(where)\\b");

  @Test
  void noCommentOpensWithAPronoun() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      openings(Files.readString(source))
          .forEach(text -> found.add(source.getFileName() + ": " + text));
    }
    assertThat(found)
        .as("name the thing: \"The units asked for\", not \"What is asked for\"")
        .isEmpty();
  }

  @Test
  void anOpeningIsFoundHoweverTheCommentIsWritten() {
    assertThat(openings("/** What is asked for. */")).hasSize(1);
    assertThat(openings("/**\n   * Whose unit it is.\n   */")).hasSize(1);
    assertThat(openings("x();\n  // Who is killed says nothing.")).hasSize(1);
    assertThat(openings("/** The unit. What it says. */")).isEmpty();
    assertThat(openings("// A unit that goes.\n  // Who knows?")).isEmpty();
    assertThat(openings("/** Whole numbers. */")).isEmpty();
  }

  @Test
  void commentsAreInPlainEnglish() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      for (String comment : Checkout.all(COMMENT, Files.readString(source))) {
        Checkout.all(DIALECT, comment)
            .forEach(words -> found.add(source.getFileName() + ": " + words));
      }
    }
    assertThat(found).as("\"again\", \"later\", \"should\", \"uses\"").isEmpty();
  }

  /** Operators read the messages. */
  @Test
  void messagesAreInPlainEnglish() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      if (source.toString().contains("/src/main/")) {
        String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
        for (String literal : Checkout.all(LITERAL, code)) {
          if (DIALECT.matcher(literal).find() || literal.contains("whoever")) {
            found.add(source.getFileName() + ": " + literal);
          }
        }
      }
    }
    assertThat(found).as("\"again\", \"later\", \"should\", \"uses\", \"anybody\"").isEmpty();
  }

  /** The comments of the files that are shipped, and of the messages between machines. */
  @Test
  void shippedFilesAreInPlainEnglish() throws IOException {
    List<String> found = new ArrayList<>();
    for (String folder :
        List.of("build/dist/files/etc", "build/dist/files/systemd", "network/rpc/src/main/proto")) {
      for (Path file : Checkout.files(folder)) {
        for (String line : Files.readAllLines(file)) {
          if (STUMBLES.matcher(line).find()
              || (line.matches("\\s*(?:#|//).*") && DIALECT.matcher(line).find())) {
            found.add(file.getFileName() + ": " + line.strip());
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** {@code @param} needs no summary before it. */
  @Test
  void noSummaryIsEmpty() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      Checkout.all(EMPTY_SUMMARY, Files.readString(source))
          .forEach(text -> found.add(source.getFileName() + ": " + text));
    }
    assertThat(found).as("delete the line, and keep @param").isEmpty();
  }

  /** A single "where" may mean a place, so they are counted. */
  @Test
  void conditionsAreIfOrWhen() throws IOException {
    int places = 0;
    int conditions = 0;
    for (Path source : sources()) {
      for (String comment : Checkout.all(COMMENT, Files.readString(source))) {
        places += Checkout.all(PLACE, comment).size();
        conditions += Checkout.all(CONDITION, comment).size();
      }
    }
    assertThat(places)
        .as("\"where\" is for places: a condition is \"if\" or \"when\"")
        .isPositive()
        .isLessThan(conditions / 3);
  }

  private static List<String> openings(String source) {
    return Checkout.all(COMMENT, source).stream()
        .flatMap(comment -> Checkout.all(OPENING, comment).stream())
        .toList();
  }

  private static List<Path> sources() throws IOException {
    return Checkout.sources().stream().filter(file -> !file.endsWith("CommentsTest.java")).toList();
  }
}
