package fleet.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginCodeTest {

  private static final LoginCode CODE =
      new LoginCode("5a1f03c2", "0123456789abcdef".repeat(4), "00112233445566778899aabbccddeeff");

  @Test
  void aCodeIsReadAsItWasPrinted() {
    assertThat(LoginCode.parse("  " + CODE.text() + "\n")).isEqualTo(CODE);
    assertThat(CODE.toString()).doesNotContain(CODE.secret());
  }

  /** One digit is enough to be told so, before any server is asked. */
  @Test
  void anyMistypedDigitIsFound() {
    String text = CODE.text();
    for (int i = "FLEET-LOGIN-1-".length(); i < text.length(); i++) {
      if (text.charAt(i) != '-') {
        char other = text.charAt(i) == '0' ? '1' : '0';
        String mistyped = text.substring(0, i) + other + text.substring(i + 1);
        assertThatThrownBy(() -> LoginCode.parse(mistyped))
            .as(mistyped)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("the code is mistyped or not whole");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FLEET-LOGIN-1-5a1f03c2 | not whole",
        "FLEET-1-5a1f03c2-00-00 | that is a join token, for a machine",
        "hunter2                | that is no code",
        "''                     | that is no code",
      })
  void otherTextsAreNamed(String text, String message) {
    assertThatThrownBy(() -> LoginCode.parse(text)).hasMessageContaining(message);
  }
}
