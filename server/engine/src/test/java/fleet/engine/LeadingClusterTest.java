package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.PutResult;
import fleet.cluster.UncertainLeadException;
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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
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

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:30Z");

  private static final UnitFile SLEEP =
      SharedStoreFixture.file("[Service]\nExecStart=/bin/sleep 1\n");

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private CurrentCluster cluster;
  private Cluster leading;
  private final PlayedCertainty certainty = new PlayedCertainty();
  private long token;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster =
        new CurrentCluster(
            new ScriptedStore(registry),
            new LocalCoordination(),
            certainty,
            EngineSettings.of(Duration.ofHours(1)),
            Clock.fixed(NOW, ZoneOffset.UTC),
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
  void whoDoesNotLeadSendsItsReadersElsewhereAndTakesCommands() {
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
        .hasMessage("its engine does not lead");
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
      assertThat(events.next(Duration.ofMinutes(1))).isNotEmpty();
      cluster.retire("another leads");
      assertElsewhere(() -> leading.units());
      assertElsewhere(() -> leading.follow(EventsFrom.NOW));
    }
  }

  @Test
  void whoMayLeadNoMoreAnswersOnlyThoseWhoDoNotMind() {
    assertThat(put()).isEqualTo(PutResult.CREATED);
    cluster.lead(new Term(token, true));
    certainty.lose(Duration.ofSeconds(30));
    assertUncertain(() -> leading.units());
    assertUncertain(() -> leading.states(WEB));
    assertUncertain(() -> leading.machines());
    assertUncertain(() -> leading.startAgain(WEB, CALLER));
    // A machine's answer about itself is not old.
    assertThat(leading.ask("m1", new Question.Status(WEB, false))).isEmpty();

    List<Instant> told = new ArrayList<>();
    assertThat(leading.evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).containsExactly(Instant.parse("2026-01-01T00:00:00Z"));

    certainty.certain = true;
    assertThat(leading.units()).hasSize(1);
    assertThat(leading.evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).hasSize(1);
  }

  private static void assertUncertain(ThrowingCallable query) {
    assertThatThrownBy(query)
        .isInstanceOf(UncertainLeadException.class)
        .hasMessageContaining("has not reached etcd since 2026-01-01T00:00:00Z");
  }

  @Test
  void whoIsBeingDeposedSendsItsReadersElsewhere() throws Exception {
    cluster.lead(new Term(token, true));
    certainty.certain = false;
    certainty.ago = Optional.empty();
    Thread retiring = Thread.ofVirtual().start(() -> cluster.retire("another leads"));
    assertElsewhere(() -> leading.units());
    assertElsewhere(() -> leading.evenIfStale(_ -> {}).units());
    retiring.join();
  }

  @Test
  void aStoreThatStumblesIsWaitedFor() {
    cluster.lead(new Term(token, true));
    certainty.lose(Duration.ofSeconds(6));
    certainty.backAfterLooks(2);
    List<Instant> told = new ArrayList<>();
    assertThat(leading.evenIfStale(told::add).units()).isEmpty();
    assertThat(told).isEmpty();
    certainty.lose(Duration.ofSeconds(6));
    certainty.backAfterLooks(2);
    assertThat(leading.units()).isEmpty();
  }

  /** A state that becomes certain has just learned what it had missed. */
  @Test
  void anAnswerReadBeforeTheStateWasCertainIsReadAgain() {
    cluster.lead(new Term(token, true));
    certainty.atNextLook(() -> {
      assertThat(put()).isEqualTo(PutResult.CREATED);
      cluster.awaitRevision(cluster.written());
    });
    assertThat(leading.units()).hasSize(1);
  }

  private PutResult put() {
    return leading.put(WEB, Optional.of(SLEEP), Optional.of(DesiredState.LAUNCHED), CALLER);
  }
}
