package fleet.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.FailoverCoordination.Prospect;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of two ways a machine takes, on the time of its loop. */
class FailoverCoordinationTest {

  private static final Duration PATIENCE = Duration.ofSeconds(12);
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(8);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration ALMOST = LONGEST_SILENCE.minus(MOMENT);
  private static final UnitName WEB = UnitName.of("web.service");
  private static final Machine MACHINE = new Machine("m1", "b1", "10.0.0.1", Map.of(), "test");
  private static final Machine AS_RPC_HAS_IT = MACHINE.withMetadata(Map.of("way", "rpc"));
  private static final Machine AS_STORE_HAS_IT = MACHINE.withMetadata(Map.of("way", "store"));

  private final PlayedWay rpc = new PlayedWay();
  private final PlayedWay store = new PlayedWay();
  private final Queue<Boolean> taken = new ArrayDeque<>();
  private final RecordingFollower follower = new RecordingFollower();
  private PlayedTime time = new PlayedTime(0);
  private AgentCoordination.Session session = join(() -> Prospect.OPEN, _ -> false, Isolation.KEEP);

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void thePreferredOneIsTakenWhereItWorks() {
    Joined direct = rpc.joined();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    for (int i = 0; i < 10; i++) {
      time.pass(ALMOST);
      assertThat(store.joins).isEmpty();
      direct.follower.acknowledged(Duration.ZERO);
    }
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
  }

  @Test
  void theOtherOneIsTakenWhereNothingIsAcknowledgedAndToldEverything() {
    Joined silent = rpc.joined();
    session.report(List.of(new AgentReport.Freed(WEB)));
    var refused = new AgentReport.Refused(WEB, new Incarnation("i"), 1, "somebody else's");
    session.report(List.of(refused));

    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());

    assertThat(follower.machine()).isEqualTo(AS_STORE_HAS_IT);
    assertThat(fallen.said).containsExactly("report " + List.of(refused));
    assertThat(silent.said).last().isEqualTo("close");
  }

  /** Else what it knows from the one before would count as what the cluster still wants. */
  @Test
  void nothingIsAcknowledgedBeforeItsScheduleHasCome() {
    rpc.joined().follower.snapshot(AS_RPC_HAS_IT, List.of(entry(4)), Set.of());
    Joined fallen = fallBack();

    fallen.follower.acknowledged(Duration.ZERO);
    assertThat(follower.acknowledgements()).isZero();

    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());
    assertThat(follower.acknowledgements()).isOne();
  }

  @Test
  void whichOneIsTakenIsTold() {
    rpc.joined();
    fallBack();
    assertThat(taken).containsExactly(true);

    rpc.joined().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(taken).containsExactly(true, false);
  }

  /** The leader gives it up when all of the time is over. */
  @Test
  void theOtherOneIsTakenBeforeTheLeaderGivesTheMachineUp() {
    time.pass(ALMOST);
    assertThat(store.joins).isEmpty();
    time.pass(MOMENT);
    assertThat(store.joins).hasSize(1);
  }

  @Test
  void whatIsLeftAloneIsWhatTheOneThatIsTakenSays() {
    rpc.joined().follower.snapshot(AS_RPC_HAS_IT, List.of(entry(4)), Set.of());
    Joined fallen = fallBack();
    Joined again = rpc.joined();

    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of(WEB));
    assertThat(follower.machine()).isEqualTo(AS_STORE_HAS_IT);
    assertThat(follower.leftAlone()).containsExactly(WEB);

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
    assertThat(follower.leftAlone()).isEmpty();
  }

  /** There is no moment in which the agent has neither an entry nor leaves the unit alone. */
  @Test
  void whatCanBeReadAgainIsToldTogetherWithItsEntry() {
    Joined direct = rpc.joined();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of(WEB));
    direct.follower.delta(List.of(entry(5)), Set.of(), Set.of());

    assertThat(follower.entry(WEB)).isPresent();
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(follower.leftAlone()).isEmpty();
  }

  /** Else a machine that has had many units in its time would know, and tell, all of them. */
  @Test
  void whatOnlyAnsweredAnEntryIsForgottenWithTheEntry() {
    Joined direct = rpc.joined();
    direct.follower.snapshot(AS_RPC_HAS_IT, List.of(entry(1)), Set.of());
    var gone = new AgentReport.Gone(WEB, new Incarnation("i"), 1);
    session.report(List.of(gone));
    assertThat(direct.said).containsExactly("report " + List.of(gone));
    Joined first = fallBack();
    assertThat(first.said).containsExactly("report " + List.of(gone));

    first.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(1)), Set.of());
    first.follower.delta(List.of(), Set.of(WEB), Set.of());
    assertThat(follower.entry(WEB)).isEmpty();
    Joined again = rpc.joined();
    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(first.said).last().isEqualTo("move on");

    Joined second = fallBack();
    time.pass(PATIENCE);
    assertThat(second.said).isEmpty();
  }

  @Test
  void whatComesFromTheOneThatIsNotTakenIsNotHeard() {
    rpc.joined();
    Joined fallen = fallBack();
    Joined again = rpc.joined();
    again.follower.acknowledged(Duration.ZERO);
    again.follower.delta(List.of(), Set.of(WEB), Set.of());
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());

    assertThat(follower.machine()).isEqualTo(AS_STORE_HAS_IT);
    assertThat(follower.heard()).containsExactly("snapshot");
    assertThat(follower.acknowledgements()).isZero();
  }

  @Test
  void itIsBackWithTheFirstSchedule() {
    rpc.joined();
    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());
    Joined again = rpc.joined();

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());

    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
    assertThat(fallen.said).containsExactly("move on");
    // The session falls back once more when that way ends.
    assertThat(fallBack()).isNotNull();
  }

  /** The store may be slow: a late farewell would end what has begun there since. */
  @Test
  void theOtherOneIsTakenAgainOnlyOnceItHasBeenLeft() {
    rpc.joined();
    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(), Set.of());
    time.holdBeside();
    rpc.joined().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);

    time.pass(PATIENCE.multipliedBy(3));
    assertThat(store.joins).isEmpty();
    time.letBesideGo();

    assertThat(fallen.said).containsExactly("move on");
    assertThat(store.joins).hasSize(1);
  }

  /** The leader may be behind the store, if the machine has seen a unit come by now. */
  @Test
  void itIsBackOnlyOnceItIsNotBehindTheOtherOne() {
    rpc.joined();
    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(5)), Set.of());
    Joined again = rpc.joined();

    again.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    again.follower.delta(List.of(entry(4)), Set.of(), Set.of());
    again.follower.acknowledged(Duration.ZERO);
    assertThat(follower.machine()).isEqualTo(AS_STORE_HAS_IT);
    again.follower.delta(List.of(entry(5)), Set.of(), Set.of());

    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
    assertThat(fallen.said).containsExactly("move on");
    assertThat(follower.heard()).containsExactly("snapshot", "snapshot");
    assertThat(follower.entry(WEB)).hasValue(entry(5));
  }

  /** A leader that is cut off may never have heard what the store has told since. */
  @Test
  void itIsNotBackWithWhatASilentOneToldBefore() {
    rpc.joined();
    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(5)), Set.of());
    Joined again = rpc.joined();
    again.follower.snapshot(AS_RPC_HAS_IT, List.of(entry(4)), Set.of());

    time.pass(PATIENCE.dividedBy(2));
    again.follower.acknowledged(Duration.ZERO);
    time.pass(PATIENCE.dividedBy(2));
    assertThat(follower.machine()).isEqualTo(AS_STORE_HAS_IT);

    again.follower.acknowledged(Duration.ZERO);
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
  }

  /** The store may be away: then nothing comes from there that could agree. */
  @Test
  void itIsBackWhereTheOtherOneHasSaidNothingForLong() {
    rpc.joined();
    Joined fallen = fallBack();
    fallen.follower.snapshot(AS_STORE_HAS_IT, List.of(entry(4)), Set.of());
    Joined again = rpc.joined();
    again.follower.snapshot(AS_RPC_HAS_IT, List.of(entry(5)), Set.of());

    time.pass(PATIENCE.minus(MOMENT));
    again.follower.acknowledged(Duration.ZERO);
    assertThat(fallen.said).isEmpty();
    time.pass(MOMENT);
    again.follower.acknowledged(Duration.ZERO);

    assertThat(fallen.said).containsExactly("move on");
    assertThat(follower.machine()).isEqualTo(AS_RPC_HAS_IT);
    assertThat(follower.entry(WEB)).hasValue(entry(5));
  }

  private static ScheduleEntry entry(long revision) {
    try {
      return new ScheduleEntry(
          WEB,
          new Incarnation("i"),
          UnitFile.parse("[Service]\nExecStart=/bin/true\n"),
          TargetState.LAUNCHED,
          1,
          false,
          revision,
          Overcommit.NONE,
          List.of());
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  // ---- at first

  @Test
  void whoIsNotSoFarAsToAskDoesNotTakeTheOtherOne() {
    var prospect = new AtomicReference<>(Prospect.UNPREPARED);
    rejoin(prospect::get, _ -> false, Isolation.KEEP);
    time.pass(PATIENCE.multipliedBy(3));
    assertThat(store.joins).isEmpty();
    prospect.set(Prospect.OPEN);
    assertThat(fallBack()).isNotNull();
  }

  @Test
  void whoIsInTheOtherOneFromBeforeIsThereAtOnceUntilThePreferredOneWorks() {
    rejoin(() -> Prospect.UNPREPARED, MACHINE::equals, Isolation.KEEP);
    Joined preferred = rpc.joined();
    Joined before = store.joined();
    preferred.follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    assertThat(before.said).containsExactly("move on");
  }

  @Test
  void whoIsToldThatItsIdIsTakenWaitsAndDoesNotComeByTheOtherOne() {
    Joined direct = rpc.joined();
    for (int i = 0; i < 10; i++) {
      direct.follower.occupied();
      time.pass(ALMOST);
      assertThat(store.joins).isEmpty();
    }
    time.pass(MOMENT);
    assertThat(store.joins).hasSize(1);
  }

  @Test
  void whoWouldStopItsUnitsTakesTheOtherOneWhenHalfOfTheTimeIsOver() {
    rejoin(() -> Prospect.OPEN, _ -> false, Isolation.STOP);
    time.pass(PATIENCE.dividedBy(2).minus(MOMENT));
    assertThat(store.joins).isEmpty();
    time.pass(MOMENT);
    assertThat(store.joins).hasSize(1);
  }

  /** The next leader may be one that machines do not speak to. */
  @Test
  void whereNobodyIsToBeReachedTheOtherOneIsTakenAtOnceAndAfterHalfOfTheTimeOfOneThatWas() {
    var prospect = new AtomicReference<>(Prospect.NONE);
    rejoin(prospect::get, _ -> false, Isolation.KEEP);
    assertThat(store.joins).hasSize(1);

    prospect.set(Prospect.OPEN);
    rejoin(prospect::get, _ -> false, Isolation.KEEP);
    rpc.joined().follower.snapshot(AS_RPC_HAS_IT, List.of(), Set.of());
    prospect.set(Prospect.NONE);
    time.pass(PATIENCE.dividedBy(2).minus(MOMENT));
    assertThat(store.joins).isEmpty();
    time.pass(MOMENT);
    assertThat(store.joins).hasSize(1);
  }

  private void rejoin(
      Supplier<Prospect> prospect, Predicate<Machine> remembers, Isolation isolation) {
    session.close();
    rpc.joins.clear();
    store.joins.clear();
    time = new PlayedTime(0);
    session = join(prospect, remembers, isolation);
  }

  private AgentCoordination.Session join(
      Supplier<Prospect> prospect, Predicate<Machine> remembers, Isolation isolation) {
    return new FailoverCoordination(
            new FailoverCoordination.AgentTransport("rpc", rpc, prospect, _ -> false),
            new FailoverCoordination.AgentTransport("store", store, () -> Prospect.OPEN, remembers),
            time::start,
            PATIENCE,
            taken::add)
        .join(MACHINE.withIsolation(isolation), follower, _ -> new PreparedAnswer());
  }

  /** The leader is silent until the machine goes through the store. */
  private Joined fallBack() {
    time.pass(PATIENCE);
    return store.joined();
  }

  /** One that does as it is told. */
  private static final class PlayedWay implements AgentCoordination {
    private final Queue<Joined> joins = new ArrayDeque<>();

    @Override
    public Session join(Machine machine, ScheduleFollower follower, Answerer answerer) {
      var joined = new Joined(follower);
      joins.add(joined);
      return joined;
    }

    /** The next that has joined; it has by now. */
    Joined joined() {
      return joins.remove();
    }
  }

  private static final class Joined implements AgentCoordination.Session {
    private final ScheduleFollower follower;
    private final List<String> said = new ArrayList<>();

    Joined(ScheduleFollower follower) {
      this.follower = follower;
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
    }

    @Override
    public void close() {
      said.add("close");
    }
  }
}
