package fleet.core.question;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class ExecFrameTest {

  private static final ExecFrame OUTPUT =
      new ExecFrame(ExecFrame.Kind.OUTPUT, "a\0b".getBytes(UTF_8));

  private static InputStream stream(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return new ByteArrayInputStream(all.toByteArray());
  }

  @Test
  void framesAreReadAsTheyWereWritten() throws IOException {
    InputStream in =
        stream(OUTPUT.bytes(), new ExecFrame(ExecFrame.Kind.KEEPALIVE, new byte[0]).bytes());
    ExecFrame first = ExecFrame.read(in).orElseThrow();
    assertThat(first.kind()).isEqualTo(ExecFrame.Kind.OUTPUT);
    assertThat(first.data()).isEqualTo(OUTPUT.data());
    assertThat(ExecFrame.read(in).orElseThrow().kind()).isEqualTo(ExecFrame.Kind.KEEPALIVE);
    assertThat(ExecFrame.read(in)).isEmpty();
  }

  @Test
  void kindsOfALaterVersionAreLeftOut() throws IOException {
    InputStream in = stream(new byte[] {'z', 0, 0, 0, 2, 1, 2}, OUTPUT.bytes());
    assertThat(ExecFrame.read(in).orElseThrow().kind()).isEqualTo(ExecFrame.Kind.OUTPUT);
  }

  @Test
  void whatBreaksOffOrIsNoFrameIsNotTakenForOne() {
    byte[] whole = OUTPUT.bytes();
    assertThatThrownBy(() -> ExecFrame.read(new ByteArrayInputStream(whole, 0, whole.length - 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broke off");
    assertThatThrownBy(() -> ExecFrame.read(stream("oops, a page of HTML".getBytes(UTF_8))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bad length");
  }
}
