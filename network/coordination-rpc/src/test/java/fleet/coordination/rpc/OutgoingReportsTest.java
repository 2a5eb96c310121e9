package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.rpc.v1.Report;
import fleet.rpc.v1.Reports;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reports that a leader gets on the next stream, and those that nobody needs to hear again. */
class OutgoingReportsTest {

  private static final UnitName WEB = UnitName.of("web.service");
  private static final AgentReport GONE = new AgentReport.Gone(WEB, new Incarnation("i"), 1);
  private static final AgentReport REFUSED =
      new AgentReport.Refused(WEB, new Incarnation("i"), 1, "somebody else's");

  private final Set<UnitName> scheduled = new HashSet<>(Set.of(WEB));
  private final OutgoingReports reports = new OutgoingReports(scheduled::contains);

  @Test
  void anotherLeaderIsToldAllThatStillCounts() {
    say(REFUSED);
    reports.begin(0);
    assertThat(told()).containsExactly(WEB.value());
  }

  @Test
  void anAnswerToAnEntryCountsAsLongAsThereIsOne() {
    say(GONE);
    reports.begin(0);
    assertThat(told()).containsExactly(WEB.value());

    scheduled.remove(WEB);
    reports.scheduleChanged(Set.of(WEB));

    reports.begin(0);
    assertThat(told()).isEmpty();
  }

  @Test
  void anAnswerThatComesAfterTheEntryHasGoneIsToldOnce() {
    scheduled.remove(WEB);
    say(GONE);
    reports.begin(0);
    assertThat(told()).isEmpty();
  }

  /** Else the same leader had what was said before of this unit for good. */
  @Test
  void aLastWordThatIsOnItsWayIsToldAgainAlsoWhereTheWordBeforeHasArrived() {
    reports.report(List.of(REFUSED));
    long first = reports.next().orElseThrow().getNumber();
    reports.report(List.of(new AgentReport.Freed(WEB)));
    assertThat(told()).containsExactly(WEB.value());

    reports.taken(first);
    reports.begin(first);

    assertThat(told()).containsExactly(WEB.value());
  }

  @Test
  void thatAUnitIsGoneWhichIsScheduledNoMoreIsToldAgainUntilItHasArrived() {
    scheduled.remove(WEB);
    reports.report(List.of(REFUSED));
    long first = reports.next().orElseThrow().getNumber();
    reports.report(List.of(GONE));
    assertThat(told()).containsExactly(WEB.value());

    reports.taken(first);
    reports.begin(first);
    Reports again = reports.next().orElseThrow();
    assertThat(again.getReportsList()).hasSize(1);

    reports.taken(again.getNumber());
    reports.begin(0);
    assertThat(told()).isEmpty();
  }

  /** And the leader has it. */
  private void say(AgentReport report) {
    reports.report(List.of(report));
    reports.taken(reports.next().orElseThrow().getNumber());
  }

  private List<String> told() {
    return reports.next().stream()
        .flatMap(message -> message.getReportsList().stream())
        .map(Report::getUnit)
        .toList();
  }
}
