package fleet.api;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.regex.Pattern;

/** Command lines for people, so that one sees where each word ends. */
final class CommandLineText {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%+=:,./_-]+");

  private CommandLineText() {}

  /** As a shell would read it. */
  static String of(List<String> words) {
    return words.stream().map(CommandLineText::quoted).collect(joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
