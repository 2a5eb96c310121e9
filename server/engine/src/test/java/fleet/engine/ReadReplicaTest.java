package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.SkippedTime;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleetd that does not lead, beside one that does. */
class ReadReplicaTest {
  private static final Event.Body LEADS =
      new Event.Body(Kind.LEADER, Subject.NONE, Cause.of("token 1"));

  private static final UnitName WEB = UnitName.of("web.service");
  private static final Caller CALLER = new Caller("test");
  private static final UnitFile SLEEP = file("[Service]\nExecStart=/bin/sleep 1000\n");
  private static final EngineSettings SETTINGS = EngineSettings.of(Duration.ofHours(1));

  @TempDir Path directory;
  private EmbeddedRegistry registry;
  private ScriptedStore store;
  private ScriptedStore leaders;
  private CurrentCluster leader;
  private CurrentCluster follower;

  @BeforeEach
  void open() {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    leaders = new ScriptedStore(registry);
    leader = cluster(leaders, SETTINGS);
    follower = cluster(store, SETTINGS);
  }

  private static CurrentCluster cluster(Registry registry, EngineSettings settings) {
    return cluster(registry, settings, EventThread::new);
  }

  private static CurrentCluster cluster(
      Registry registry, EngineSettings settings, EventLoop.Factory loops) {
    return new CurrentCluster(
        registry,
        new LocalCoordination(),
        Certainty.ALWAYS,
        settings,
        Clock.systemUTC(),
        loops,
        why -> {
          throw new AssertionError(why);
        });
  }

  @Test
  void aQuestionThatTheStoreDoesNotTakeIsRefusedAsWhatCannotBeServedNow() {
    try (CurrentCluster asked =
        new CurrentCluster(
            registry,
            new Unreachable(),
            Certainty.ALWAYS,
            SETTINGS,
            Clock.systemUTC(),
            EventThread::new,
            _ -> {})) {
      assertThatThrownBy(() -> asked.ask("m1", new Question.Status(WEB, false)))
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessage("etcd is away");
    }
  }

  private Term term() {
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    return new Term(
        registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision(), true);
  }

  @AfterEach
  void close() {
    follower.close();
    leader.close();
    registry.close();
  }

  @Test
  void nothingIsReadUntilSomebodyAsksAndOnlyOnceThen() {
    assertThat(store.reads()).isZero();
    assertThat(launch(follower)).isEqualTo(PutResult.CREATED);
    assertThat(store.reads()).isZero();
    assertThat(follower.units()).hasSize(1);
    assertThat(follower.machines()).isEmpty();
    assertThat(follower.states().reported()).isEmpty();
    assertThat(store.reads()).isEqualTo(1);
  }

  @Test
  void requestsThatComeWhileItLoadsShareIt() throws Exception {
    var loading = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    store.beforeRead(() -> {
      loading.countDown();
      awaitUninterruptibly(goOn);
    });
    List<FutureTask<Integer>> requests = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      var request = new FutureTask<>(() -> follower.units().size());
      requests.add(request);
      Thread.ofVirtual().start(request);
    }
    loading.await();
    goOn.countDown();
    for (FutureTask<Integer> request : requests) {
      assertThat(request.get()).isZero();
    }
    assertThat(store.reads()).isEqualTo(1);
  }

  @Test
  void itSeesWhatTheLeaderSeesAndWritesNothing() throws Exception {
    leader.lead(term());
    store.interfere(transaction -> {
      assertThat(transaction.writes()).noneMatch(write -> write.key().startsWith(Keys.SCHEDULES));
      return Optional.empty();
    });
    assertThat(follower.units()).isEmpty();
    launch(follower);
    awaitUnit(follower, unit -> unit.waiting().equals("no machine is there"));
    StoredMachine m1 = new StoredMachine(store, registry, "m1");
    m1.present(Map.of(), Isolation.KEEP);
    m1.running(m1.awaitTarget(WEB, TargetState.LAUNCHED));
    awaitUnit(follower, unit -> unit.current().equals(Optional.of(DesiredState.LAUNCHED)));
    awaitUnit(leader, unit -> unit.current().equals(Optional.of(DesiredState.LAUNCHED)));
    assertThat(follower.unit(WEB)).isEqualTo(leader.unit(WEB));
    assertThat(follower.states(WEB)).isEqualTo(leader.states(WEB));
    assertThat(follower.machines()).isEqualTo(leader.machines());
    assertThat(follower.startAgain(WEB, CALLER)).isEqualTo(StartResult.RUNNING);
  }

  @Test
  void commandsAreSeenByTheQueriesThatFollow() {
    assertThat(follower.units()).isEmpty();
    for (int i = 0; i < 50; i++) {
      UnitName name = UnitName.of("u" + i + ".service");
      var _ = follower.put(name, Optional.of(SLEEP), Optional.empty(), CALLER);
      assertThat(follower.unit(name)).isPresent();
      assertThat(follower.destroy(name, CALLER)).isTrue();
      assertThat(follower.unit(name)).isEmpty();
    }
  }

  @Test
  void itSaysThatNobodyLeads() throws Exception {
    new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP);
    launch(follower);
    awaitUnit(follower, unit -> unit.waiting().equals("no engine leads the cluster"));
    leader.lead(term());
    awaitUnit(follower, unit -> unit.machine().equals(Optional.of("m1")));
    assertThat(follower.unit(WEB).orElseThrow().waiting()).isEmpty();
  }

  @Test
  void whatCannotBeReadIsToldAsTheLeaderDoes() throws Exception {
    launch(follower);
    put(Keys.schedule("m1", WEB), "garbage");
    assertThat(follower.unit(WEB).orElseThrow().waiting()).contains("schedule/m1/web.service");
    leader.lead(term());
    awaitUnit(leader, unit -> unit.waiting().contains("schedule/m1/web.service"));
  }

  @Test
  void whereItLeadsItsReadersGoOnAndWhereItRetiresWithAGap() throws Exception {
    EventStream stream = follower.follow(EventsFrom.NOW);
    EventId position = stream.start();
    follower.lead(term());
    assertThat(stream.next(Duration.ofMinutes(1))).extracting(Event::body).containsExactly(LEADS);
    launch(follower);
    assertThat(stream.next(Duration.ofMinutes(1))).isNotEmpty();
    follower.retire("another leads");
    assertThatThrownBy(() -> drain(stream)).isInstanceOf(ClusterUnavailableException.class);
    assertThat(follower.units()).hasSize(1);
    try (EventStream after = follower.follow(new EventsFrom.After(position))) {
      assertThat(after.next(Duration.ofMinutes(1)))
          .extracting(Event::body)
          .containsExactly(Event.Body.GAP, LEADS);
    }
  }

  @Test
  void whatNobodyReadsIsDroppedAndLoadedAgain() throws Exception {
    follower.close();
    var dropped = new CountDownLatch(1);
    var time = new SkippedTime();
    Duration idle = Duration.ofMinutes(10);
    follower =
        cluster(
            store,
            SETTINGS.with(changed -> changed.observerIdle = idle),
            (name, turnEnd) ->
                new WatchedLoop(time.start(name, turnEnd), _ -> {}, dropped::countDown));
    EventStream stream = follower.follow(EventsFrom.NOW);
    time.skip(idle.multipliedBy(3));
    assertThat(dropped.getCount()).isEqualTo(1);
    assertThat(store.reads()).isEqualTo(1);
    stream.close();
    time.skip(idle.dividedBy(2));
    assertThat(dropped.getCount()).isEqualTo(1);
    Await.until(() -> {
      time.skip(idle);
      return dropped.getCount() == 0;
    });
    assertThat(follower.units()).isEmpty();
    assertThat(store.reads()).isEqualTo(2);
  }

  @Test
  void aStoreThatCannotBeReadIsNamedAndTriedAgain() {
    store.beforeRead(() -> {
      throw new RegistryException("etcd at 10.0.0.9 does not answer");
    });
    assertThatThrownBy(() -> follower.units())
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessageContaining("10.0.0.9");
    store.beforeRead(() -> {});
    assertThat(follower.units()).isEmpty();
  }

  @Test
  void aStoreThatTakesTooLongIsNotWaitedFor() {
    follower.close();
    follower = cluster(store, SETTINGS.with(changed -> changed.patience = Duration.ofMillis(50)));
    var goOn = new CountDownLatch(1);
    store.beforeRead(() -> awaitUninterruptibly(goOn));
    assertThatThrownBy(() -> follower.units())
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessageContaining("still being read");
    goOn.countDown();
  }

  @Test
  void whatItKnowsIsToldOnlyToThoseWhoDoNotMindWhereTheStoreDoesNotAnswer() throws Exception {
    follower.close();
    var time = new SkippedTime();
    follower =
        cluster(
            store,
            SETTINGS
                .with(changed -> changed.patience = Duration.ofSeconds(3))
                .with(changed -> changed.observerIdle = Duration.ofHours(1)),
            time::start);
    launch(follower);
    awaitUnits(follower, 1);

    time.skip(Duration.ofMinutes(1));
    store.beforeGet(() -> {
      throw new RegistryException("etcd is away");
    });
    assertThatThrownBy(() -> follower.units())
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessageContaining("this server has not reached etcd since ");
    List<Instant> told = new ArrayList<>();
    assertThat(follower.evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).singleElement().matches(since -> since.isBefore(Instant.now()));

    store.beforeGet(() -> {});
    awaitUnits(follower, 1);
    assertThat(follower.evenIfStale(told::add).units()).hasSize(1);
    assertThat(told).hasSize(1);
  }

  /**
   * It was cut off for long, and what has changed meanwhile comes a moment after the store does.
   */
  @Test
  void aStateThatDoesNotKnowWhoLeadsIsOldThoughTheStoreAnswers() throws Exception {
    follower.close();
    var time = new SkippedTime();
    follower =
        cluster(
            store,
            SETTINGS
                .with(changed -> changed.patience = Duration.ofSeconds(3))
                .with(changed -> changed.observerIdle = Duration.ofHours(1)),
            time::start);
    awaitUnits(follower, 0);
    store.holdWatches();
    leader.lead(term());
    assertThat(launch(leader)).isEqualTo(PutResult.CREATED);
    time.skip(Duration.ofMinutes(1));

    assertThatThrownBy(() -> follower.units()).isInstanceOf(ClusterUnavailableException.class);

    store.releaseWatches();
    awaitUnits(follower, 1);
  }

  @Test
  void whereNobodyElseCanLeadTheEngineIsWaitedFor() throws Exception {
    try (CurrentCluster alone =
        cluster(registry, SETTINGS.with(changed -> changed.patience = Duration.ofSeconds(2)))) {
      assertThatThrownBy(alone::units)
          .isInstanceOf(ClusterUnavailableException.class)
          .hasMessageContaining("no engine leads yet");
      alone.lead(Term.ALONE);
      awaitUnits(alone, 0);
    }
  }

  /** For one that waits shortly, which a busy machine may exceed. */
  private static void awaitUnits(Cluster cluster, int count) throws InterruptedException {
    Await.until(() -> {
      try {
        return cluster.units().size() == count;
      } catch (ClusterUnavailableException e) {
        return false;
      }
    });
  }

  /** Reads until the stream says that it has ended; what a closed reader gets is nothing. */
  private static void drain(EventStream stream) throws Exception {
    for (int i = 0; i < 100; i++) {
      List<Event> _ = stream.next(Duration.ofSeconds(1));
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static PutResult launch(Cluster cluster) {
    return cluster.put(WEB, Optional.of(SLEEP), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  private void put(String key, String value) {
    var _ = registry.commit(Transaction.when().put(key, value).build());
  }

  private static void awaitUnit(Cluster cluster, Predicate<UnitView> condition) throws Exception {
    UnitView _ = LedCluster.awaitView(cluster, WEB, condition);
  }

  private static UnitFile file(String text) {
    try {
      return UnitFile.parse(text);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Machines that are asked through a store that is away. */
  private static final class Unreachable extends Muted {
    @Override
    public Optional<Answer> ask(String machine, Question question) {
      throw new RegistryException("etcd is away");
    }
  }
}
