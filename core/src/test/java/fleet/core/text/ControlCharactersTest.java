package fleet.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ControlCharactersTest {

  @Test
  void textWithoutAnyIsTheSame() {
    String text = "Übergröße – 日本 “quoted” C:\\n";
    assertThat(ControlCharacters.escaped(text)).isSameAs(text);
    assertThat(ControlCharacters.areIn(text)).isFalse();
  }

  @Test
  void lineEndsAndSequencesOfTerminalsBecomeVisible() {
    String attack = "a\nINFO: forged\r\t\033[2J\u009b1m\u2028\u202eb\u0085\u007f\0";
    assertThat(ControlCharacters.areIn(attack)).isTrue();
    assertThat(ControlCharacters.escaped(attack))
        .isEqualTo("a\\nINFO: forged\\r\\t\\x1b[2J\\x9b1m\\u2028\\u202eb\\x85\\x7f\\x00");
  }

  @Test
  void linesAndTabsMayStay() {
    assertThat(ControlCharacters.escapedButLines("a\tb\nc\r\n\033]0;title\007"))
        .isEqualTo("a\tb\nc\\r\n\\x1b]0;title\\x07");
  }

  @Test
  void longTextIsCutAndSaysSo() {
    assertThat(ControlCharacters.escaped("abcdef", 6)).isEqualTo("abcdef");
    assertThat(ControlCharacters.escaped("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(ControlCharacters.escaped("\n".repeat(100), 6)).isEqualTo("\\n\\n\\…");
  }
}
