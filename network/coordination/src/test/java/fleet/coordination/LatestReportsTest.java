package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The reports of a machine, whoever is told them. */
class LatestReportsTest {

  private final Set<UnitName> scheduled = new HashSet<>();
  private final LatestReports reports = new LatestReports(scheduled::contains);
  private UnitName web;
  private UnitName db;

  @BeforeEach
  void name() throws Exception {
    web = UnitName.of("web.service");
    db = UnitName.of("db.service");
    scheduled.addAll(Set.of(web, db));
  }

  private static AgentReport refused(UnitName unit) {
    return new AgentReport.Refused(unit, new Incarnation("i"), 1, "somebody else's");
  }

  private static AgentReport gone(UnitName unit) {
    return new AgentReport.Gone(unit, new Incarnation("i"), 1);
  }

  @Test
  void onlyTheLastReportOfAUnitIsDue() {
    reports.report(List.of(refused(web), refused(db), gone(web)));

    assertThat(reports.due()).isEqualTo(2);
    assertThat(reports.take(1)).containsExactly(db);
    assertThat(reports.take(2)).containsExactly(web);
    assertThat(reports.last(web)).contains(gone(web));
  }

  @Test
  void anAnswerIsForgottenWithItsEntry() {
    reports.report(List.of(gone(web), refused(db)));

    scheduled.clear();
    reports.scheduleChanged(List.of(web, db));

    assertThat(reports.last(web)).isEmpty();
    assertThat(reports.take(2)).containsExactly(db);
  }

  @Test
  void aUnitThatWasFreedIsForgottenOnceThatIsTold() {
    reports.report(List.of(new AgentReport.Freed(web)));
    assertThat(reports.all()).hasSize(1);

    reports.sent(reports.take(1));

    assertThat(reports.all()).isEmpty();
  }

  @Test
  void aReportThatIsDueAgainIsNotForgotten() {
    reports.report(List.of(new AgentReport.Freed(web)));
    List<UnitName> units = reports.take(1);
    reports.tellAgain(units);

    reports.sent(units);

    assertThat(reports.last(web)).isPresent();
  }
}
