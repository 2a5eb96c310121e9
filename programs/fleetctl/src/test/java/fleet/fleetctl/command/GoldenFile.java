package fleet.fleetctl.command;

import static java.util.stream.Collectors.joining;

import fleet.fleetctl.command.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The file of one command in src/test/resources/golden: its command lines, each after the lines of
 * its {@link GoldenScene}, and with what it prints on a pipe and on a terminal of 80 columns, once
 * if both are the same.
 */
record GoldenFile(Path path, List<Case> cases) {

  static final Path FOLDER = Path.of("src", "test", "resources", "golden");

  private static final String PROMPT = "$ fleetctl ";
  private static final String PIPE = " | cat";
  private static final String SCENE = "% ";
  private static final int COLUMNS = 80;

  /** A word, with blanks only between quotes. */
  private static final Pattern WORD = Pattern.compile("(?:[^ ']|'[^']*')+");

  /** A command line and its scene. */
  record Case(List<String> scene, String line) {
    List<String> words() {
      return WORD.matcher(line).results().map(MatchResult::group).map(Case::bare).toList();
    }

    private static String bare(String word) {
      return word.replace("'", "");
    }
  }

  static GoldenFile of(String command) throws IOException {
    Path path = FOLDER.resolve(command + ".txt");
    List<Case> cases = new ArrayList<>();
    List<String> scene = new ArrayList<>();
    if (Files.exists(path)) {
      for (String line : Files.readAllLines(path)) {
        if (line.startsWith(SCENE)) {
          scene.add(line.substring(SCENE.length()));
        } else if (line.startsWith(PROMPT)) {
          String words = line.substring(PROMPT.length());
          boolean isPiped = words.endsWith(PIPE);
          Case found = new Case(scene, isPiped ? words.replace(PIPE, "") : words);
          boolean isSecond =
              scene.isEmpty()
                  && !isPiped
                  && !cases.isEmpty()
                  && cases.getLast().line().equals(words);
          if (!isSecond) {
            cases.add(found);
          }
          scene = new ArrayList<>();
        }
      }
    }
    return new GoldenFile(path, cases);
  }

  /** The file as it would be now. */
  String now(Path directory) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      Case one = cases.get(i);
      String piped = text(directory.resolve(i + "p"), one, 0);
      String shown = text(directory.resolve(i + "t"), one, COLUMNS);
      String prompt = PROMPT + one.line();
      texts.add(
          one.scene().stream().map(line -> SCENE + line + "\n").collect(joining())
              + (piped.equals(shown) ? "" : prompt + PIPE + "\n" + piped)
              + (prompt + "\n" + shown));
    }
    return String.join("\n", texts);
  }

  /** Lines for standard error begin with an exclamation mark. */
  private static String text(Path directory, Case one, int width) throws IOException {
    try (GoldenScene scene = new GoldenScene(directory, one.scene())) {
      Ran ran = scene.run(one.words(), width);
      String out = ran.out().isEmpty() || ran.out().endsWith("\n") ? ran.out() : ran.out() + "\n";
      return out
          + ran.err().lines().map(line -> "! " + line + "\n").collect(joining())
          + "exit %d\n".formatted(ran.code());
    }
  }
}
