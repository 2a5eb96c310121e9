package fleet.fleetctl.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutputTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(message);
      }
    };
  }

  @Test
  void tellsAReaderWhoLeftFromADiskThatIsFull() {
    assertThatThrownBy(() -> new Output(failing("Broken pipe"), err, false, false).line("x"))
        .isInstanceOf(OutputClosedException.class);
    assertThatThrownBy(
            () -> new Output(failing("No space left on device"), err, false, false).line("x"))
        .isInstanceOf(UncheckedIOException.class)
        .isNotInstanceOf(OutputClosedException.class);
  }

  @Test
  void takesTheStatusLineAwayBeforeAnythingElse() {
    Output output = new Output(out, err, true, true);

    output.status("waiting");
    output.problem("oh");

    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r\033[?7lwaiting\033[K\033[?7h\r\033[Koh\n");
  }

  @Test
  void showsNoStatusLineWithoutATerminal() {
    Output output = new Output(out, err, false, false);

    output.status("waiting");
    output.clearStatus();

    assertThat(err.size()).isZero();
  }

  @Test
  void keepsAdditionsFromScriptsAndShowsThemToPeople() {
    Output piped = new Output(out, err, false, false);
    piped.aside().line("more");
    piped.aside().flush();
    assertThat(out.size()).isZero();
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("more\n");

    Output terminal = new Output(out, err, true, true);
    assertThat(terminal.aside()).isSameAs(terminal);
  }

  /** A title, the clipboard, an empty screen and a line that is none. */
  private static final String ATTACK =
      "a\033]0;TITLE\007\033]52;c;Y3VybA==\033[2J\rAll is well\u009b2J\tb";

  private static final String HARMLESS =
      "a\\x1b]0;TITLE\\x07\\x1b]52;c;Y3VybA==\\x1b[2J\\x0dAll is well\\x9b2J\tb";

  @Test
  void showsControlCharactersEscapedOnATerminal() throws IOException {
    Output output = new Output(out, err, true, true);

    output.line(ATTACK);
    output.copy(stream(ATTACK + "\n\033[31mred"));
    output.problem(ATTACK);
    output.flush();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(HARMLESS + "\n" + HARMLESS + "\n\\x1b[31mred");
    assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo(HARMLESS + "\n");
  }

  @Test
  void givesFilesAndPipesWhatThereIs() throws IOException {
    Output output = new Output(out, err, false, false);

    output.line(ATTACK);
    output.copy(stream(ATTACK));
    output.flush();

    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(ATTACK + "\n" + ATTACK);
  }

  @Test
  void keepsColoursWhereTheyAreExpectedAlsoInPieces() throws IOException {
    Output output = new Output(out, err, true, true);
    InputStream pieces =
        new SequenceInputStream(
            Collections.enumeration(
                List.of(stream("a\033"), stream("[0;1"), stream(";31mred\033[2J\033[0mb\033["))));

    output.copyColoured(pieces);
    output.colouredLine("\033[31mc\033[2J");
    output.flush();

    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("a\033[0;1;31mred\\x1b[2J\033[0mb\\x1b[\033[31mc\\x1b[2J\n");
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void keepsLinesInTheOrderOfTheUnits() {
    OrderedLines lines = new OrderedLines(new Output(out, err, false, false), 4);

    lines.line(2, "c");
    assertThat(out.size()).isZero();
    lines.line(0, "a");
    lines.skip(1);
    lines.line(0, "again");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nc\n");
    lines.releaseAll();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nc\n");
  }
}
