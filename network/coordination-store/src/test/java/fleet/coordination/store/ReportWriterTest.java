package fleet.coordination.store;

import static fleet.coordination.store.Node.entry;
import static fleet.coordination.store.Node.stated;
import static fleet.coordination.store.Node.unit;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Reports of units that the store gets, and those that it is spared. */
class ReportWriterTest extends StoreTest {

  private static final Incarnation INCARNATION = new Incarnation("i");
  private static final Duration TAKING_STOCK = Duration.ofSeconds(10);
  private static final UnitName LAST = unit(9_999);

  private Node joined() throws Exception {
    Node node = join(MACHINE);
    heard.awaitMachine(MACHINE);
    return node;
  }

  private Optional<Entry> state(UnitName unit) {
    return engineSide.get(Keys.state(MACHINE.id(), unit));
  }

  @Test
  void aThousandReportsAtOnceAreFewCommits() throws Exception {
    Node node = joined();
    List<AgentReport> reports = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      reports.add(stated(MACHINE.id(), unit(i), "running"));
    }

    node.session.report(reports);

    for (AgentReport report : reports) {
      heard.awaitReport(MACHINE.id(), report);
    }
    assertThat(states(MACHINE)).hasSize(1_000);
    assertThat(states(MACHINE).stream().map(Entry::modified).distinct()).hasSize(17);
  }

  @Test
  void whatTheStoreHasIsNotWrittenAgain() throws Exception {
    Node node = joined();
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), unit(1), "running"));
    Entry before = state(unit(1)).orElseThrow();

    node.session.report(
        List.of(
            stated(MACHINE.id(), unit(1), "stop"),
            stated(MACHINE.id(), unit(1), "running"),
            new AgentReport.Freed(unit(2)),
            stated(MACHINE.id(), LAST, "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), LAST, "running"));

    assertThat(state(unit(1))).contains(before);
    assertThat(state(unit(2))).isEmpty();
  }

  @Test
  void thatAUnitIsGoneIsSaidAsLongAsItsEntryStands() throws Exception {
    ScheduleEntry stopping = entry(unit(1), TargetState.STOPPING);
    engine.schedule(MACHINE.id(), stopping);
    Node node = joined();
    node.follower.awaitEntry(unit(1));
    long revision = node.follower.entry(unit(1)).orElseThrow().revision();
    assertThat(engineSide.get(Keys.schedule(MACHINE.id(), unit(1))).map(Entry::modified))
        .contains(revision);
    AgentReport gone = new AgentReport.Gone(unit(1), stopping.incarnation(), revision);
    node.session.report(List.of(stated(MACHINE.id(), unit(1), "stop"), gone));
    heard.awaitReport(MACHINE.id(), gone);

    engine.unschedule(MACHINE.id(), unit(1));

    heard.await(() -> heard.report(MACHINE.id(), unit(1)).isEmpty());
    assertThat(states(MACHINE)).isEmpty();
    node.session.report(
        List.of(
            new AgentReport.Gone(unit(2), INCARNATION, 0), stated(MACHINE.id(), LAST, "running")));
    heard.awaitReport(MACHINE.id(), stated(MACHINE.id(), LAST, "running"));
    assertThat(state(unit(2))).isEmpty();
  }

  @Test
  void whatAnEarlierAgentSaidAndThisOneDoesNotIsForgotten() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.LAUNCHED));
    Node node = joined();
    node.session.report(
        List.of(
            stated(MACHINE.id(), unit(1), "running"),
            stated(MACHINE.id(), unit(2), "running"),
            new AgentReport.Refused(unit(3), INCARNATION, 1, "somebody else's")));
    heard.await(() -> heard.report(MACHINE.id(), unit(3)).isPresent());
    node.close();

    Node next = join(MACHINE);
    next.follower.awaitEntry(unit(1));
    next.settle();
    next.session.report(List.of(stated(MACHINE.id(), unit(2), "running")));
    next.skip(TAKING_STOCK);
    heard.await(() -> heard.report(MACHINE.id(), unit(3)).isEmpty());

    assertThat(state(unit(1))).isPresent();
    assertThat(state(unit(2))).isPresent();
  }

  @Test
  void whatAnEarlierAgentSaidOfAnEntryEndsWithIt() throws Exception {
    engine.schedule(MACHINE.id(), entry(unit(1), TargetState.STOPPING));
    Node node = joined();
    node.follower.awaitEntry(unit(1));
    AgentReport gone = new AgentReport.Gone(unit(1), INCARNATION, 7);
    node.session.report(List.of(gone));
    heard.awaitReport(MACHINE.id(), gone);
    node.close();
    Node next = join(MACHINE);
    next.follower.awaitEntry(unit(1));
    heard.awaitReport(MACHINE.id(), gone);

    engine.unschedule(MACHINE.id(), unit(1));

    heard.await(() -> heard.report(MACHINE.id(), unit(1)).isEmpty());
    assertThat(states(MACHINE)).isEmpty();
  }
}
