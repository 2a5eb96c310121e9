package fleet.agent.answer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.question.JournalFilter;
import fleet.core.question.Question.JournalEntries;
import fleet.core.unit.UnitName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BehindCursorTest {

  private static final String OWN = "s=1;i=2";
  private static final String NEXT = "{\"__CURSOR\":\"s=1;i=3\",\"MESSAGE\":\"next\"}\n";

  private static String behind(String entries) throws IOException {
    var stream = new BehindCursor(new ByteArrayInputStream(entries.getBytes(UTF_8)), OWN);
    return new String(stream.readAllBytes(), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"__CURSOR\":\"s=1;i=2\",\"MESSAGE\":\"own\"}\n",
        "{ \"MESSAGE\" : \"own\", \"__CURSOR\" : \"s=1;i=2\" }\n"
      })
  void theEntryOfTheCursorIsLeftOut(String own) throws IOException {
    assertThat(behind(own + NEXT)).isEqualTo(NEXT);
    assertThat(behind(own)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        NEXT,
        NEXT + NEXT,
        "-- cursor: s=1;i=2\n",
        "{\"__CURSOR\":\"s=1;i=22\",\"MESSAGE\":\"of another\"}\n",
        "{\"__CURSOR\":\"s=1;i=3\",\"MESSAGE\":\",\\\"__CURSOR\\\":\\\"s=1;i=2\\\"\"}\n",
        "cut off"
      })
  void anEntryOfAnotherPassesAlsoWhereItIsTheFirst(String entries) throws IOException {
    assertThat(behind(entries)).isEqualTo(entries);
  }

  @Test
  void journalctlIsAskedForTheEntryOfTheCursorAsWell() {
    var journalctl =
        new Journalctl(
            new JournalEntries(
                List.of(UnitName.of("web.service")),
                JournalEntries.ALL,
                Optional.empty(),
                OWN,
                true,
                true),
            JournalFilter.NONE,
            List.of());
    for (Journalctl.Command command :
        List.of(journalctl.past(), journalctl.future(OWN, Instant.EPOCH))) {
      assertThat(command.words()).contains("--cursor=" + OWN);
      assertThat(command.behind()).isEqualTo(OWN);
    }
    assertThat(journalctl.future("", Instant.EPOCH).behind()).isEmpty();
  }
}
