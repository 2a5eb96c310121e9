package fleet.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SingleLineTest {

  @Test
  void textThatIsOneLineIsTheSame() {
    String text = "Übergröße – 日本 “quoted” 😀 C:\\n";
    assertThat(SingleLine.of(text)).isSameAs(text);
    assertThat(SingleLine.isOne(text)).isTrue();
  }

  @Test
  void lineEndsAndSequencesOfTerminalsBecomeVisible() {
    String attack = "a\nINFO: forged\r\t\033[2J\u009b1m\u2028\u202eb\u0085\u007f\0";
    assertThat(SingleLine.isOne(attack)).isFalse();
    assertThat(SingleLine.of(attack))
        .isEqualTo("a\\x0aINFO: forged\\x0d\\x09\\x1b[2J\\x9b1m\\u2028\\u202eb\\x85\\x7f\\x00");
  }

  @Test
  void linesAndTabsMayStay() {
    assertThat(SingleLine.ofEach("a\tb\nc\r\n\033]0;title\007\u202e👩\u200d💻"))
        .isEqualTo("a\tb\nc\\x0d\n\\x1b]0;title\\x07\\u202e👩\u200d💻");
  }

  @Test
  void longTextIsCutAndSaysSo() {
    assertThat(SingleLine.of("abcdef", 6)).isEqualTo("abcdef");
    assertThat(SingleLine.of("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(SingleLine.of("\n".repeat(100), 6)).isEqualTo("\\x0a\\…");
  }
}
