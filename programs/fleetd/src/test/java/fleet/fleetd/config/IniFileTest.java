package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.fleetd.config.IniFile.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IniFileTest {
  @Test
  void assignmentsKeepTheirLineAndSection() throws Exception {
    String text =
        """
        # a comment
        ; another
        public_ip=10.0.0.1

          agent_ttl = 3s \s
        [later]
        metadata=region=us
        """;

    assertThat(IniFile.parse("f", text).entries())
        .containsExactly(
            new Entry(3, "", "public_ip", "10.0.0.1"),
            new Entry(5, "", "agent_ttl", "3s"),
            new Entry(7, "later", "metadata", "region=us"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "k=plain text| plain text",
        "k=\"double\" | double",
        "k='single' | single",
        "k=\"it's\" | it's",
        "k=\"done\" # why | done",
        "k='done' ; why | done",
        "k=\"a\", \"b\" | \"a\", \"b\"",
        "k=[\"a\", \"b\"] | [\"a\", \"b\"]",
        "k=\"open | \"open",
        "k=pass#word | pass#word",
        "k=pass #word | pass #word",
        "k=a=b=c | a=b=c",
        "k=\"\" | ``",
        "k= | ``",
      },
      delimiter = '|')
  void onePairOfQuotesIsTakenOff(String line, String expected) throws Exception {
    assertThat(IniFile.parse("f", line).entries()).containsExactly(new Entry(1, "", "k", expected));
  }

  @Test
  void windowsFilesReadTheSame() throws Exception {
    assertThat(IniFile.parse("f", "\uFEFFa=1\r\nb=2\r\n").entries())
        .containsExactly(new Entry(1, "", "a", "1"), new Entry(2, "", "b", "2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"public_ip", "public_ip: 10.0.0.1", "=5", "[open", "export"})
  void lineThatAssignsNothingIsRefusedWithItsNumber(String line) {
    assertThatThrownBy(() -> IniFile.parse("/etc/fleet/fleet.conf", "a=1\n\n" + line))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("/etc/fleet/fleet.conf:3: \"" + line + "\" is not an option: write key=value");
  }
}
