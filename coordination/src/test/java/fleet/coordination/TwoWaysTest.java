package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.TwoWayAgentCoordination.Prospect;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of two ways a machine takes. */
@Timeout(60)
class TwoWaysTest {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final UnitName WEB = UnitName.of("web.service");
  private static final Machine MACHINE = new Machine("m1", "b1", "10.0.0.1", Map.of(), "test");
  private static final Machine AS_RPC_HAS_IT = MACHINE.withMetadata(Map.of("way", "rpc"));
  private static final Machine AS_STORE_HAS_IT = MACHINE.withMetadata(Map.of("way", "store"));

  private final PlayedWay rpc = new PlayedWay();
  private final PlayedWay store = new PlayedWay();
  private final BlockingQueue<Boolean> taken = new LinkedBlockingQueue<>();
  private final RecordingFollower follower = new RecordingFollower();
  private final AgentCoordination.Session session =
      new TwoWayAgentCoordination(
              new TwoWayAgentCoordination.Way("rpc", rpc),
              new TwoWayAgentCoordination.Way("store", store),
              EventThread::new,
              PATIENCE,
              taken::add)
          .join(MACHINE, follower, _ -> new PreparedAnswer());

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void thePreferredOneIsTakenWhereItWorks() throws Exception {
    Joined direct = rpc.awaitJoin();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    for (int i = 0; i < 10; i++) {
      assertThat(store.joins.poll(PATIENCE.dividedBy(3).toMillis(), TimeUnit.MILLISECONDS))
          .isNull();
      direct.follower.acknowledged(Duration.ZERO);
    }
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
  }

  @Test
  void theOtherOneIsTakenWhereNothingIsAcknowledgedAndToldEverything() throws Exception {
    var silent = rpc.awaitJoin();
    session.report(List.of(new AgentReport.Freed(WEB)));
    var refused = new AgentReport.Refused(WEB, new Incarnation("i"), 1, "somebody else's");
    session.report(List.of(refused));

    Joined fallen = store.awaitJoin();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());

    follower.await(() -> AS_STORE_HAS_IT.equals(follower.machine()));
    assertThat(fallen.awaitSaid()).isEqualTo("report " + List.of(refused));
    assertThat(silent.awaitSaid("close")).isTrue();
  }

  @Test
  void whichOneIsTakenIsTold() throws Exception {
    rpc.awaitJoin();
    store.awaitJoin();
    assertThat(taken.poll(30, TimeUnit.SECONDS)).isTrue();

    rpc.awaitJoin().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(taken.poll(30, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void theOtherOneIsTakenWhenAllOfTheTimeIsOverAndNotBefore() throws Exception {
    var direct = new PlayedWay();
    var other = new PlayedWay();
    Duration patience = Duration.ofSeconds(3);
    long began = System.nanoTime();
    try (var _ = join(direct, () -> Prospect.OPEN, other, _ -> false, Isolation.KEEP, patience)) {
      other.awaitJoin();
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(patience);
    }
  }

  @Test
  void whatIsLeftAloneIsWhatTheOneThatIsTakenSays() throws Exception {
    rpc.awaitJoin().follower.snapshot(AS_RPC_HAS_IT, List.of(entry(4)), Set.of());
    Joined fallen = store.awaitJoin();
    Joined again = rpc.awaitJoin();

    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of(WEB));
    follower.await(() -> AS_STORE_HAS_IT.equals(follower.machine()));
    assertThat(follower.leftAlone()).containsExactly(WEB);

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    follower.await(() -> AS_RPC_HAS_IT.equals(follower.machine()));
    assertThat(follower.leftAlone()).isEmpty();
  }

  /** There is no moment in which the agent has neither an entry nor leaves the unit alone. */
  @Test
  void whatCanBeReadAgainIsToldTogetherWithItsEntry() throws Exception {
    Joined direct = rpc.awaitJoin();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of(WEB));
    direct.follower.delta(List.of(entry(5)), Set.of(), Set.of());

    follower.awaitEntry(WEB);
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(follower.leftAlone()).isEmpty();
  }

  /** Else a machine that has had many units in its time would know, and tell, all of them. */
  @Test
  void whatOnlyAnsweredAnEntryIsForgottenWithTheEntry() throws Exception {
    Joined direct = rpc.awaitJoin();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(entry(1)), Set.of());
    var gone = new AgentReport.Gone(WEB, new Incarnation("i"), 1);
    session.report(List.of(gone));
    assertThat(direct.awaitSaid()).isEqualTo("report " + List.of(gone));
    Joined first = store.awaitJoin();
    assertThat(first.awaitSaid()).isEqualTo("report " + List.of(gone));

    first.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(1)), Set.of());
    first.follower.delta(List.of(), Set.of(WEB), Set.of());
    follower.await(() -> follower.entry(WEB).isEmpty());
    Joined again = rpc.awaitJoin();
    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(first.awaitSaid("move on")).isTrue();

    assertThat(store.awaitJoin().said.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isNull();
  }

  @Test
  void whatComesFromTheOneThatIsNotTakenIsNotHeard() throws Exception {
    rpc.awaitJoin();
    Joined fallen = store.awaitJoin();
    Joined again = rpc.awaitJoin();
    again.follower.acknowledged(Duration.ZERO);
    again.follower.delta(List.of(), Set.of(WEB), Set.of());
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());

    follower.await(() -> AS_STORE_HAS_IT.equals(follower.machine()));
    assertThat(follower.heard()).containsExactly("snapshot");
    assertThat(follower.acknowledgements()).isZero();
  }

  @Test
  void itIsBackWithTheFirstSchedule() throws Exception {
    rpc.awaitJoin();
    Joined fallen = store.awaitJoin();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());
    Joined again = rpc.awaitJoin();

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());

    follower.await(() -> AS_RPC_HAS_IT.equals(follower.machine()));
    assertThat(fallen.awaitSaid("move on")).isTrue();
    // And falls back once more where that ends.
    assertThat(store.awaitJoin()).isNotNull();
  }

  /** The store may be slow: a late farewell would end what has begun there since. */
  @Test
  void theOtherOneIsTakenAgainOnlyOnceItHasBeenLeft() throws Exception {
    rpc.awaitJoin();
    Joined fallen = store.awaitJoin();
    CountDownLatch farewell = fallen.hold();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());
    rpc.awaitJoin().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(fallen.awaitSaid("move on")).isTrue();

    assertThat(store.joins.poll(PATIENCE.multipliedBy(3).toMillis(), TimeUnit.MILLISECONDS))
        .isNull();
    farewell.countDown();

    assertThat(store.awaitJoin()).isNotNull();
  }

  /** The leader may be behind the store, where the machine has seen a unit come by now. */
  @Test
  void itIsBackOnlyOnceItIsNotBehindTheOtherOne() throws Exception {
    rpc.awaitJoin();
    Joined fallen = store.awaitJoin();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(5)), Set.of());
    Joined again = rpc.awaitJoin();

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    again.follower.delta(List.of(entry(4)), Set.of(), Set.of());
    again.follower.acknowledged(Duration.ZERO);
    again.follower.delta(List.of(entry(5)), Set.of(), Set.of());

    follower.await(() -> AS_RPC_HAS_IT.equals(follower.machine()));
    assertThat(fallen.awaitSaid("move on")).isTrue();
    assertThat(follower.heard()).containsExactly("snapshot", "snapshot");
    assertThat(follower.entry(WEB)).hasValue(entry(5));
  }

  /** The store may be away: then nothing comes from there that could agree. */
  @Test
  void itIsBackWhereTheOtherOneHasSaidNothingForLong() throws Exception {
    rpc.awaitJoin();
    Joined fallen = store.awaitJoin();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(4)), Set.of());
    Joined again = rpc.awaitJoin();
    again.follower.snapshot(AS_RPC_HAS_IT, List.of(entry(5)), Set.of());

    while (fallen.said.isEmpty()) {
      again.follower.acknowledged(Duration.ZERO);
      assertThat(fallen.said.size()).isLessThan(2);
      Thread.onSpinWait();
    }

    follower.await(() -> AS_RPC_HAS_IT.equals(follower.machine()));
    assertThat(follower.entry(WEB)).hasValue(entry(5));
  }

  private static ScheduleEntry entry(long revision) {
    try {
      return new ScheduleEntry(
          WEB,
          new Incarnation("i"),
          UnitFile.parse("[Service]\nExecStart=/bin/true\n"),
          Target.LAUNCHED,
          1,
          false,
          revision);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  // ---- at first

  @Test
  void whoIsNotSoFarAsToAskDoesNotTakeTheOtherOne() throws Exception {
    var prospect = new AtomicReference<>(Prospect.UNPREPARED);
    var direct = new PlayedWay();
    var other = new PlayedWay();
    try (var _ = join(direct, prospect::get, other, _ -> false, Isolation.KEEP)) {
      direct.awaitJoin();
      assertThat(other.joins.poll(PATIENCE.multipliedBy(3).toMillis(), TimeUnit.MILLISECONDS))
          .isNull();
      prospect.set(Prospect.OPEN);
      assertThat(other.awaitJoin()).isNotNull();
    }
  }

  @Test
  void whoIsInTheOtherOneFromBeforeIsThereAtOnceUntilThePreferredOneWorks() throws Exception {
    var direct = new PlayedWay();
    var other = new PlayedWay();
    try (var _ = join(direct, () -> Prospect.UNPREPARED, other, MACHINE::equals, Isolation.KEEP)) {
      Joined preferred = direct.awaitJoin();
      Joined before = other.awaitJoin();
      preferred.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
      assertThat(before.awaitSaid("move on")).isTrue();
    }
  }

  @Test
  void whoIsToldThatItsIdIsTakenWaitsAndDoesNotComeByTheOtherOne() throws Exception {
    Joined direct = rpc.awaitJoin();
    for (int i = 0; i < 10; i++) {
      direct.follower.occupied();
      assertThat(store.joins.poll(PATIENCE.dividedBy(3).toMillis(), TimeUnit.MILLISECONDS))
          .isNull();
    }
    assertThat(store.awaitJoin()).isNotNull();
  }

  @Test
  void whoWouldStopItsUnitsTakesTheOtherOneWhenHalfOfTheTimeIsOver() throws Exception {
    var direct = new PlayedWay();
    var other = new PlayedWay();
    Duration patience = Duration.ofSeconds(12);
    long began = System.nanoTime();
    try (var _ = join(direct, () -> Prospect.OPEN, other, _ -> false, Isolation.STOP, patience)) {
      other.awaitJoin();
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(patience.dividedBy(2), patience.multipliedBy(2).dividedBy(3));
    }
  }

  /** The next leader may be one that machines do not speak to. */
  @Test
  void whereNobodyIsToBeReachedTheOtherOneIsTakenAtOnceAndAfterHalfOfTheTimeOfOneThatWas()
      throws Exception {
    Duration patience = Duration.ofSeconds(20);
    var prospect = new AtomicReference<>(Prospect.NONE);
    var other = new PlayedWay();
    var direct = new PlayedWay();
    long began = System.nanoTime();
    try (var _ = join(direct, prospect::get, other, _ -> false, Isolation.KEEP, patience)) {
      other.awaitJoin();
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(patience.dividedBy(4));
    }

    prospect.set(Prospect.OPEN);
    patience = Duration.ofSeconds(8);
    began = System.nanoTime();
    try (var _ = join(direct, prospect::get, other, _ -> false, Isolation.KEEP, patience)) {
      direct.awaitJoin();
      direct.awaitJoin();
      direct.awaitJoin().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
      prospect.set(Prospect.NONE);
      other.awaitJoin();
      assertThat(Duration.ofNanos(System.nanoTime() - began))
          .isBetween(patience.dividedBy(2), patience.multipliedBy(3).dividedBy(4));
    }
  }

  private static AgentCoordination.Session join(
      PlayedWay preferred,
      Supplier<Prospect> usable,
      PlayedWay other,
      Predicate<Machine> remembers,
      Isolation isolation) {
    return join(preferred, usable, other, remembers, isolation, PATIENCE);
  }

  private static AgentCoordination.Session join(
      PlayedWay preferred,
      Supplier<Prospect> usable,
      PlayedWay other,
      Predicate<Machine> remembers,
      Isolation isolation,
      Duration patience) {
    return new TwoWayAgentCoordination(
            new TwoWayAgentCoordination.Way("rpc", preferred, usable, _ -> false),
            new TwoWayAgentCoordination.Way("store", other, () -> Prospect.OPEN, remembers),
            EventThread::new,
            patience,
            _ -> {})
        .join(MACHINE.withIsolation(isolation), new RecordingFollower(), _ -> new PreparedAnswer());
  }

  /** One that does as it is told. */
  private static final class PlayedWay implements AgentCoordination {
    private final BlockingQueue<Joined> joins = new LinkedBlockingQueue<>();

    @Override
    public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
      var joined = new Joined(follower);
      joins.add(joined);
      return joined;
    }

    Joined awaitJoin() throws InterruptedException {
      Joined joined = joins.poll(20, TimeUnit.SECONDS);
      assertThat(joined).isNotNull();
      return joined;
    }
  }

  private static final class Joined implements AgentCoordination.Session {
    private final ScheduleFollower follower;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private volatile CountDownLatch farewell = new CountDownLatch(0);

    Joined(ScheduleFollower follower) {
      this.follower = follower;
    }

    /** Leaving takes until that is counted down. */
    CountDownLatch hold() {
      farewell = new CountDownLatch(1);
      return farewell;
    }

    String awaitSaid() throws InterruptedException {
      return String.valueOf(said.poll(20, TimeUnit.SECONDS));
    }

    boolean awaitSaid(String what) throws InterruptedException {
      String next = awaitSaid();
      while (!next.equals(what) && !next.equals("null")) {
        next = awaitSaid();
      }
      return next.equals(what);
    }

    @Override
    public void report(List<AgentReport> reports) {
      said.add("report " + reports);
    }

    @Override
    public void present(Machine machine) {
      said.add("present");
    }

    @Override
    public void leave(boolean emptied) {
      said.add("leave");
    }

    @Override
    public void moveOn() {
      said.add("move on");
      try {
        assertThat(farewell.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      said.add("close");
    }
  }
}
