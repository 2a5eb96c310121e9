package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.PutResult;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster as only its leader serves it. */
class LeadingClusterTest {

  private static final Caller CALLER = new Caller("test");
  private static final UnitName WEB = UnitName.of("web.service");

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private CurrentCluster cluster;
  private Cluster leading;
  private long token;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster =
        new CurrentCluster(
            new ScriptedStore(registry),
            new LocalCoordination(),
            EngineSettings.of(Duration.ofHours(1)),
            Clock.systemUTC(),
            EventThread::new,
            why -> {
              throw new AssertionError(why);
            });
    leading = cluster.leading();
  }

  @AfterEach
  void close() {
    cluster.close();
    registry.close();
  }

  @Test
  void whoDoesNotLeadSendsItsReadersElsewhereAndTakesCommands() throws Exception {
    assertThat(put()).isEqualTo(PutResult.CREATED);
    assertThat(cluster.written()).isEqualTo(registry.get(Keys.unit(WEB)).orElseThrow().modified());
    assertElsewhere(() -> leading.units());
    assertElsewhere(() -> leading.unit(WEB));
    assertElsewhere(() -> leading.units(Set.of(WEB)));
    assertElsewhere(() -> leading.states());
    assertElsewhere(() -> leading.states(WEB));
    assertElsewhere(() -> leading.machines());
    assertElsewhere(() -> leading.absences());
    assertElsewhere(() -> leading.startAgain(WEB, CALLER));
    assertElsewhere(() -> leading.ask("m1", new Question.Status(WEB, false)));
    assertElsewhere(() -> leading.follow(EventsFrom.NOW));
    // Readers of the store alone are served as ever.
    assertThat(cluster.units()).hasSize(1);
    assertElsewhere(() -> leading.units());
  }

  private static void assertElsewhere(ThrowingCallable query) {
    assertThatThrownBy(query)
        .isInstanceOf(NotLeadingException.class)
        .hasMessage("the engine of this machine does not lead");
  }

  @Test
  void whoLeadsServesThemUntilItDoesNoMore() throws Exception {
    assertThat(put()).isEqualTo(PutResult.CREATED);
    cluster.lead(new Term(token, true));
    assertThat(leading.units()).hasSize(1);
    assertThat(leading.states().reported()).isEmpty();
    assertThat(leading.ask("m1", new Question.Status(WEB, false))).isEmpty();
    cluster.awaitRevision(cluster.written());
    try (EventStream events = leading.follow(EventsFrom.BEGINNING)) {
      assertThat(events.next(Duration.ofSeconds(20))).isNotEmpty();
      cluster.retire("another leads");
      assertElsewhere(() -> leading.units());
      assertElsewhere(() -> leading.follow(EventsFrom.NOW));
    }
  }

  private PutResult put() throws Exception {
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/sleep 1\n");
    return leading.put(WEB, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
  }
}
