package fleet.ctl.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
