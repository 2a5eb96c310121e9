package fleet.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.rpc.v1.Question;
import fleet.rpc.v1.Report;
import fleet.rpc.v1.Stated;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** Messages that a machine may send, and that make no sense. */
class BadMessagesTest {

  private static final String UNIT = "web.service";

  private static AbstractThrowableAssert<?, ?> asking(Question.Builder question) {
    return assertThatThrownBy(() -> QuestionMessages.question(question.build()))
        .isInstanceOf(MalformedMessageException.class);
  }

  private static Question.Builder journal(int lines, String output) {
    return Question.newBuilder()
        .setJournal(Question.Journal.newBuilder().setUnit(UNIT).setLines(lines).setOutput(output));
  }

  private static Question.Builder entries(int lines, long since) {
    return Question.newBuilder()
        .setJournalEntries(
            Question.JournalEntries.newBuilder()
                .addUnits(UNIT)
                .setLines(lines)
                .setSinceSeconds(since));
  }

  private static Question.Builder filtered(String priority, String grep, int lines) {
    return Question.newBuilder()
        .setFilteredEntries(
            Question.FilteredEntries.newBuilder()
                .setEntries(entries(lines, 0).getJournalEntries())
                .setPriority(priority)
                .setGrep(grep));
  }

  @Test
  void questionsThatMakeNoSenseReachNoJournalctl() throws Exception {
    assertThat(QuestionMessages.question(journal(0, "short-iso").build())).isNotNull();
    asking(journal(-1, "short")).hasMessage("invalid lines \"-1\": expected a number");
    asking(journal(1, "short\n--file=/etc/shadow")).hasMessageContaining("invalid output");
    asking(journal(1, "-")).hasMessageContaining("invalid output");
    asking(entries(-1, 0)).hasMessageContaining("invalid lines");
    asking(entries(1, Long.MAX_VALUE)).hasMessageContaining("no time of a clock");
    assertThat(QuestionMessages.question(filtered("err..crit", "a|b", 10).build())).isNotNull();
    asking(filtered("err --file=/etc/shadow", "", 10)).hasMessageContaining("invalid priority");
    asking(filtered("", "a\nb", 10)).hasMessageContaining("invalid grep");
    asking(filtered("", "a".repeat(501), 10)).hasMessageContaining("invalid grep");
    asking(filtered("", "a", 10_001)).hasMessageContaining("invalid lines");
    asking(usage(0, 1)).hasMessageContaining("invalid interval");
    asking(usage(1, -1)).hasMessageContaining("invalid samples");
  }

  @Test
  void ordersThatMakeNoSenseReachNoSystemctl() throws Exception {
    assertThat(QuestionMessages.question(order("kill", "HUP", "main").build())).isNotNull();
    asking(order("paint", "", ""))
        .hasMessage("fleetd of this machine is too old to paint: upgrade it");
    asking(order("kill", "", "all")).hasMessage("kill needs a signal");
    asking(order("kill", "9 --host=x", "all")).hasMessageContaining("invalid signal");
    asking(order("kill", "HUP", "--all")).hasMessageContaining("invalid whom");
    asking(order("thaw", "HUP", "all")).hasMessage("thaw takes no signal");
  }

  private static Question.Builder order(String verb, String signal, String whom) {
    return Question.newBuilder()
        .setOrder(
            Question.Order.newBuilder()
                .setUnit(UNIT)
                .setVerb(verb)
                .setSignal(signal)
                .setWhom(whom));
  }

  private static Question.Builder usage(long interval, int samples) {
    return Question.newBuilder()
        .setUsage(Question.Usage.newBuilder().setIntervalMillis(interval).setSamples(samples));
  }

  @Test
  void aReportOfATimeThatNoClockShowsIsRefused() throws Exception {
    assertThat(ReportMessages.report("m1", since(0))).isPresent();
    for (long seconds : List.of(Long.MAX_VALUE, Long.MIN_VALUE, 300_000_000_000L)) {
      assertThatThrownBy(() -> ReportMessages.report("m1", since(seconds)))
          .isInstanceOf(MalformedMessageException.class)
          .hasMessage("second %d and 0 ns are no time of a clock", seconds);
    }
  }

  private static Report since(long seconds) {
    return Report.newBuilder()
        .setUnit(UNIT)
        .setStated(
            Stated.newBuilder()
                .setIncarnation("one")
                .setPerformed("launched")
                .setLoad("loaded")
                .setActive("active")
                .setSub("running")
                .setSinceSeconds(seconds))
        .build();
  }
}
