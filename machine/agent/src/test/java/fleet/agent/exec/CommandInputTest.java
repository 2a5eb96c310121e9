package fleet.agent.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.question.Question;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommandInputTest {

  private final CommandInput input = new CommandInput();

  private long take(long offset, String text, boolean last) throws Exception {
    return take(offset, text.getBytes(UTF_8), last);
  }

  private long take(long offset, byte[] data, boolean last) throws Exception {
    return input.take(new Question.ExecInput(UUID.randomUUID().toString(), offset, data, last), 0);
  }

  private String written() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    input.begin();
    input.copyTo(out);
    return out.toString(UTF_8);
  }

  @Test
  void piecesComeInTheirOrderUntilTheEnd() throws Exception {
    assertThat(take(0, "one ", false)).isEqualTo(4);
    assertThat(take(4, "two", true)).isEqualTo(7);
    assertThat(written()).isEqualTo("one two");
  }

  /** An answer may be lost on its way, and the request is made again. */
  @Test
  void aPieceThatComesTwiceIsTakenOnce() throws Exception {
    assertThat(take(0, "one ", false)).isEqualTo(4);
    assertThat(take(0, "one ", false)).isEqualTo(4);
    assertThat(take(2, "e two", true)).isEqualTo(7);
    assertThat(take(2, "e two", true)).isEqualTo(7);
    assertThat(written()).isEqualTo("one two");
  }

  @Test
  void aGapIsRefused() {
    assertThatThrownBy(() -> take(5, "late", false))
        .isInstanceOf(IOException.class)
        .hasMessage("input from byte 5 on does not follow: 0 came");
  }

  @Test
  void whatACommandDoesNotReadIsNotTaken() throws Exception {
    byte[] full = new byte[CommandInput.MOST];
    assertThat(take(0, full, false)).isEqualTo(full.length);
    assertThat(take(full.length, "more", true)).isEqualTo(full.length);
  }

  @Test
  void aCommandThatNeverBeginsIsGivenNothing() throws Exception {
    take(0, "typed", true);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Thread copying = Thread.ofVirtual().start(() -> input.copyTo(out));
    input.close();
    copying.join();
    assertThat(out.size()).isZero();
  }

  /** As of a pipe whose other end is closed: the command goes on, and does not want the rest. */
  @Test
  void aCommandThatClosesItsInputIsGivenTheRestAsToNobody() throws Exception {
    take(0, "first", false);
    input.begin();
    input.copyTo(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        });
    assertThat(take(5, new byte[CommandInput.MOST], false)).isEqualTo(5L + CommandInput.MOST);
    assertThat(take(5L + CommandInput.MOST, "more", true)).isEqualTo(9L + CommandInput.MOST);
  }
}
