package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.AgentCoordination;
import fleet.coordination.EngineCoordination;
import fleet.coordination.HeardByEngine;
import fleet.coordination.HeartbeatInterval;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.coordination.SkippedTime;
import fleet.core.machine.HostPort;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.Target;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.testing.Await;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Faults between agents and leaders, over TCP. */
class StreamFaultsTest extends StreamTest {

  /** So long that a loaded machine says and answers each heartbeat in time. */
  private static final Duration TTL = Duration.ofMinutes(10);

  /** In it an agent says once that it is there. */
  private static final Duration BEAT = HeartbeatInterval.of(TTL).multipliedBy(17).dividedBy(16);

  /** In it an agent finds out that nobody answers, and no leader gives the machine up. */
  private static final Duration UNANSWERED = TTL.multipliedBy(9).dividedBy(10);

  /** A guest of a leader is sent away after it. */
  private static final Duration PATIENCE = TTL.dividedBy(3).plusSeconds(1);

  private final List<HostPort> candidates = new CopyOnWriteArrayList<>();
  private final HeardByEngine engine = new HeardByEngine();
  private final RecordingFollower follower = new RecordingFollower();
  private final SkippedTime agentTime = new SkippedTime();
  private final SkippedTime leaderTime = new SkippedTime();
  private final RpcAgentCoordination agents = agents(agentTime);

  private RpcAgentCoordination agents(SkippedTime time) {
    return new RpcAgentCoordination(
        () -> List.copyOf(candidates),
        StreamConnector.over(channels),
        time::start,
        TTL,
        fatal::add);
  }

  /** The machine says that it is there so many times, and is answered. */
  private void beat(int times) throws InterruptedException {
    beat(follower, agentTime, times);
  }

  private static void beat(RecordingFollower follower, SkippedTime time, int times)
      throws InterruptedException {
    follower.await(() -> follower.acknowledgements() > 0);
    for (int i = 0; i < times; i++) {
      int before = follower.acknowledgements();
      time.skip(BEAT);
      follower.await(() -> follower.acknowledgements() > before);
    }
  }

  /** Agents ask these addresses from now on. */
  private void ask(List<HostPort> addresses) {
    candidates.clear();
    candidates.addAll(addresses);
  }

  private PlayedLeader leader(String store) throws IOException {
    PlayedLeader leader = another(store);
    ask(List.of(leader.address()));
    return leader;
  }

  /** One that agents do not ask yet. */
  private PlayedLeader another(String store) throws IOException {
    return opened(new PlayedLeader(store, leaderTime::start));
  }

  private TcpProxy wire(PlayedLeader to) throws IOException {
    TcpProxy wire = opened(new TcpProxy(to.address().port()));
    ask(List.of(new HostPort("127.0.0.1", wire.port())));
    return wire;
  }

  private AgentCoordination.Session join() {
    return opened(agents.join(MACHINE, follower, _ -> new PreparedAnswer()));
  }

  private TcpProxy joinedOverAWire(PlayedLeader leader) throws Exception {
    TcpProxy wire = wire(leader);
    leader.lead(7, engine);
    join();
    engine.awaitMachine(MACHINE);
    return wire;
  }

  private static AgentReport stated(UnitName unit, String sub) {
    return new AgentReport.Stated(
        new UnitState(
            unit,
            MACHINE.id(),
            new Incarnation("i-" + unit.value()),
            "hash",
            DesiredState.LAUNCHED,
            1,
            new SystemdState("loaded", "active", sub, "success", "abc", 0, Instant.EPOCH),
            ""));
  }

  // ---- streams that break

  @Test
  void aCutStreamGoesOnWithWhatChangedMeanwhile() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = wire(leader);
    leader.lead(7, engine);
    leader.schedule("m1", entry(WEB, 10));
    var session = join();
    follower.awaitEntry(WEB);

    wire.freeze();
    wire.cut();
    leader.schedule("m1", entry(DB, 11));
    session.report(List.of(stated(WEB, "running")));
    wire.thaw();

    follower.awaitEntry(DB);
    engine.awaitReport("m1", stated(WEB, "running"));
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(engine.machine("m1")).isPresent();
  }

  @Test
  void whatWasRemovedWhileNobodyHeardIsRemoved() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = wire(leader);
    leader.lead(7, engine);
    leader.schedule("m1", entry(WEB, 10));
    leader.schedule("m1", entry(DB, 11));
    join();
    follower.awaitEntry(WEB);

    wire.freeze();
    wire.cut();
    leader.unschedule("m1", WEB);
    wire.thaw();

    follower.awaitNothingOf(WEB);
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
  }

  @Test
  void aHalfOpenConnectionIsLeftForOneThatWorks() throws Exception {
    PlayedLeader leader = leader("s");
    BlockingQueue<Optional<String>> spoken = new LinkedBlockingQueue<>();
    agents.observe(spoken::add);
    TcpProxy wire = joinedOverAWire(leader);

    follower.await(() -> follower.acknowledgements() > 0);
    assertThat(spoken.take()).isEmpty();

    ask(List.of(leader.address()));
    wire.freeze();
    int before = follower.acknowledgements();
    agentTime.skip(UNANSWERED);
    follower.await(() -> follower.acknowledgements() > before);
    beat(1);

    assertThat(engine.machine("m1")).isPresent();
    assertThat(spoken.take()).contains("127.0.0.1:" + wire.port() + ": the leader does not answer");
    assertThat(spoken.take()).isEmpty();
  }

  @Test
  void aMachineThatWasSilentComesBackOnceItIsHeard() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = joinedOverAWire(leader);

    wire.freeze();
    leaderTime.skip(TTL.plusSeconds(1));
    engine.await(() -> engine.machine("m1").isEmpty());
    wire.thaw();

    engine.awaitMachine(MACHINE);
  }

  @Test
  void anAgentThatEndsIsThereUntilItsTimeIsOver() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    var first = join();
    engine.awaitMachine(MACHINE);

    first.close();
    var second = new RecordingFollower();
    opened(agents.join(MACHINE, second, _ -> new PreparedAnswer()));
    for (int i = 0; i < 4; i++) {
      beat(second, agentTime, 1);
      leaderTime.skip(TTL.dividedBy(3));
    }

    assertThat(engine.machine("m1")).isPresent();
    assertThat(second.heard()).containsExactly("snapshot");
  }

  @Test
  void whatTheLeaderCannotReadIsLeftAloneAlsoByAnAgentThatComesAnew() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    leader.schedule("m1", entry(WEB, 10));
    leader.schedule("m1", entry(DB, 11));
    join();
    follower.awaitEntry(DB);

    leader.leaveAlone(WEB);
    leader.unschedule("m1", WEB);
    leader.unschedule("m1", DB);
    follower.awaitNothingOf(DB);
    assertThat(follower.leftAlone()).containsExactly(WEB);
    assertThat(follower.entry(WEB)).isPresent();

    leader.leaveAlone();
    leader.unschedule("m1", WEB);
    follower.awaitNothingOf(WEB);
    assertThat(follower.leftAlone()).isEmpty();
  }

  @Test
  void whatTheLeaderCanReadAgainIsToldTogetherWithItsEntry() throws Exception {
    PlayedLeader leader = leader("s");
    leader.leaveAlone(WEB);
    leader.lead(7, engine);
    join();
    follower.await(() -> follower.leftAlone().contains(WEB));

    leader.leaveAlone();
    leader.schedule("m1", entry(WEB, 10));

    follower.awaitEntry(WEB);
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
    assertThat(follower.leftAlone()).isEmpty();
  }

  /** The leader goes by what it was told in the hello. */
  @Test
  void whatChangesOfTheMachineBeforeItIsWelcomeIsSaidOnceItIs() throws Exception {
    var welcome = new CompletableFuture<Runnable>();
    SpokenLeader leader =
        opened(
            new SpokenLeader((message, line) -> {
              if (message.hasHello()) {
                var late =
                    FromLeader.newBuilder()
                        .setStore("s")
                        .setToken(7)
                        .setWelcome(Welcome.newBuilder().setVersion(StreamVersion.CURRENT))
                        .build();
                welcome.complete(() -> line.send(late));
              }
            }));
    ask(List.of(leader.address()));
    var session = join();
    assertThat(leader.await(FromAgent.SaidCase.HELLO).getHello().getMachine())
        .isEqualTo(MachineMessages.message(MACHINE));

    Machine changed = MACHINE.withMetadata(Map.of("disk", "hdd"));
    session.present(changed);
    welcome.get().run();

    assertThat(leader.await(FromAgent.SaidCase.MACHINE).getMachine())
        .isEqualTo(MachineMessages.message(changed));
  }

  // ---- who leads

  @Test
  void aLeaderThatIsDeposedIsNotObeyed() throws Exception {
    PlayedLeader old = leader("s");
    old.lead(7, engine);
    join();
    engine.awaitMachine(MACHINE);
    var next = leader("s");
    var heardByNext = new HeardByEngine();
    next.lead(9, heardByNext);
    old.coordination.retire();
    heardByNext.awaitMachine(MACHINE);

    // It comes back and knows nothing of its end.
    old.lead(7, engine);
    old.schedule("m1", entry(WEB, 10));
    ask(List.of(old.address()));
    next.close();
    var third = another("s");
    third.lead(11, heardByNext);
    third.schedule("m1", entry(DB, 11));
    ask(List.of(old.address(), third.address()));

    follower.awaitEntry(DB);
    assertThat(follower.entry(WEB)).isEmpty();
  }

  @Test
  void aNewLeaderIsToldAllAndTellsOnlyWhatIsNew() throws Exception {
    PlayedLeader old = leader("s");
    old.lead(7, engine);
    old.schedule("m1", entry(WEB, 10));
    var session = join();
    follower.awaitEntry(WEB);
    session.report(List.of(stated(WEB, "running")));
    engine.awaitReport("m1", stated(WEB, "running"));

    PlayedLeader next = leader("s");
    var heardByNext = new HeardByEngine();
    next.schedule("m1", entry(WEB, 10));
    next.schedule("m1", entry(DB, 12));
    next.lead(9, heardByNext);
    old.close();

    heardByNext.awaitReport("m1", stated(WEB, "running"));
    follower.awaitEntry(DB);
    assertThat(follower.heard()).containsExactly("snapshot", "delta");
  }

  @Test
  void anotherStoreIsASnapshotWhateverItsTokens() throws Exception {
    PlayedLeader old = leader("s");
    old.lead(700, engine);
    old.schedule("m1", entry(WEB, 1000));
    join();
    follower.awaitEntry(WEB);

    PlayedLeader restored = leader("s2");
    restored.schedule("m1", entry(DB, 4));
    restored.lead(3, engine);
    old.close();

    follower.awaitEntry(DB);
    assertThat(follower.schedule()).containsOnlyKeys(DB);
    assertThat(follower.heard()).containsExactly("snapshot", "snapshot");
  }

  @Test
  void whoDoesNotLeadSaysWhoDoes() throws Exception {
    PlayedLeader leader = another("s");
    leader.lead(7, engine);
    PlayedLeader other = leader("s");
    other.elsewhere.set(leader.address().toString());

    join();

    engine.awaitMachine(MACHINE);
  }

  /** By the thousand, asking again and again they would keep it from its work. */
  @Test
  void whoComesBeforeAnybodyLeadsWaitsThere() throws Exception {
    PlayedLeader next = leader("s");
    CountDownLatch came = new CountDownLatch(1);
    next.onLook = came::countDown;
    join();
    came.await();

    next.lead(7, engine);

    engine.awaitMachine(MACHINE);
    assertThat(next.visits).hasValue(1);
  }

  @Test
  void whoWaitsInVainAsksElsewhere() throws Exception {
    PlayedLeader next = another("s");
    PlayedLeader never = leader("s");
    join();
    ask(List.of(never.address(), next.address()));
    next.lead(7, engine);

    sendGuestsAwayUntil(() -> engine.machine("m1").isPresent());
    assertThat(never.visits.get()).isPositive();
  }

  @Test
  void aLeaderThatIsNotCertainAcknowledgesNothing() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    opened(agents.join(MACHINE, follower, _ -> answered()));
    beat(1);

    leader.certain.set(false);
    var other = new HeardByEngine();
    PlayedLeader next = another("s");
    next.lead(9, other);
    ask(List.of(leader.address(), next.address()));
    int before = follower.acknowledgements();
    agentTime.skip(BEAT);
    // Answers go the same way: the heartbeat is dealt with once these have come.
    for (int i = 0; i < 2; i++) {
      Answer passing = leader.coordination.ask("m1", new Question.Status(WEB, false)).orElseThrow();
      assertThat(passing.exitStatus()).isZero();
    }
    assertThat(follower.acknowledgements()).isEqualTo(before);
    agentTime.skip(UNANSWERED);

    sendGuestsAwayUntil(() -> other.machine("m1").isPresent());
  }

  private static Answer answered() {
    var answer = new PreparedAnswer();
    answer.end(0);
    return answer;
  }

  /** As when all of etcd is away: machines are not told that they are heard, and try elsewhere. */
  @Test
  void nobodyIsSilentToALeaderThatMayNotAnswer() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    join();
    engine.awaitMachine(MACHINE);

    follower.await(() -> follower.acknowledgements() > 0);

    leader.certain.set(false);
    agentTime.skip(UNANSWERED);
    Await.until(() -> leader.visits.get() > 1);
    leaderTime.skip(TTL.multipliedBy(2));
    assertThat(engine.gone()).isEmpty();
    int before = follower.acknowledgements();
    leader.certain.set(true);
    follower.await(() -> follower.acknowledgements() > before);

    assertThat(engine.gone()).isEmpty();
  }

  /** Agents ask elsewhere if nobody leads for long. */
  private void sendGuestsAwayUntil(BooleanSupplier condition) throws InterruptedException {
    Await.until(() -> {
      leaderTime.skip(PATIENCE);
      return condition.getAsBoolean();
    });
  }

  // ---- who is who

  @Test
  void anotherMachineWithTheSameIdIsRefusedWithTheAddressOfTheFirst() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    join();
    engine.awaitMachine(MACHINE);

    var clone = new Machine("m1", "boot-2", "10.0.0.2", Map.of(), "test");
    var time = new SkippedTime();
    opened(agents(time).join(clone, new RecordingFollower(), _ -> new PreparedAnswer()));
    Await.until(() -> {
      time.skip(TTL);
      return !fatal.isEmpty();
    });

    assertThat(fatal.take()).contains("10.0.0.1", "machine-id");
    assertThat(engine.machine("m1")).contains(MACHINE);
  }

  @Test
  void aMachineThatHasBootedComesWhenItsFormerSelfIsSilent() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    var before = join();
    engine.awaitMachine(MACHINE);
    before.close();

    var booted = new Machine("m1", "boot-2", "10.0.0.1", Map.of(), "test");
    opened(agents.join(booted, new RecordingFollower(), _ -> new PreparedAnswer()));
    leaderTime.skip(TTL.plusSeconds(1));

    engine.awaitMachine(booted);
    assertThat(fatal).isEmpty();
  }

  @Test
  void whoLeavesWithNothingRunningNeedNotBeWaitedFor() throws Exception {
    var said = new LinkedBlockingQueue<Boolean>();
    PlayedLeader leader = leader("s");
    leader.lead(
        7,
        new Forwarding(engine) {
          @Override
          public void left(String machine, boolean emptied, String why) {
            said.add(emptied);
            super.left(machine, emptied, why);
          }
        });
    var session = join();
    engine.awaitMachine(MACHINE);

    session.leave(true);

    assertThat(engine.machine("m1")).isEmpty();
    assertThat(said).containsExactly(true);
  }

  // ---- load

  @Test
  void aSlowAgentHasOnlyTheLatestOfEachUnitOutstanding() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = joinedOverAWire(leader);
    follower.await(() -> follower.machine() != null);
    String large = "x".repeat(100_000);

    wire.freeze();
    for (int i = 1; i <= 2_000; i++) {
      leader.schedule("m1", large(WEB, large + i, i));
    }
    wire.thaw();

    follower.await(() -> follower.entry(WEB).filter(it -> it.revision() == 2_000).isPresent());
    assertThat(follower.heard()).hasSizeLessThan(200);
  }

  private static ScheduleEntry large(UnitName unit, String content, long revision) {
    return new ScheduleEntry(
        unit,
        new Incarnation("i" + revision),
        new UnitFile(List.of(new UnitOption("Service", "Environment", content))),
        Target.LAUNCHED,
        1,
        false,
        revision,
        Overcommit.NONE,
        List.of());
  }

  @Test
  void anAgentThatFloodsIsHeldBackAndStaysThere() throws Exception {
    var stuck = new CountDownLatch(1);
    var reported = new AtomicInteger();
    var waiting = new LinkedBlockingQueue<Runnable>();
    PlayedLeader leader = leader("s");
    leader.lead(
        7,
        new Forwarding(engine) {
          @Override
          public void reported(String machine, List<AgentReport> reports) {
            reported.incrementAndGet();
            super.reported(machine, reports);
          }

          @Override
          public void takenIn(Runnable then) {
            if (stuck.getCount() > 0) {
              waiting.add(then);
            } else {
              then.run();
            }
          }
        });
    var session = join();
    engine.awaitMachine(MACHINE);
    for (int i = 0; i < 20_000; i++) {
      session.report(List.of(stated(UnitName.of("u" + i % 50 + ".service"), "s" + i)));
    }
    beat(3);

    assertThat(reported.get()).isLessThanOrEqualTo(3);
    assertThat(engine.machine("m1")).isPresent();
    stuck.countDown();
    waiting.forEach(Runnable::run);
    engine.awaitReport("m1", stated(UnitName.of("u49.service"), "s19999"));
    assertThat(reported.get()).isLessThan(2_000);
  }

  private static final Machine OTHER = new Machine("m2", "boot-2", "10.0.0.2", Map.of(), "test");

  /** A machine beside the one that the leader has trouble with. */
  private final class Bystander {
    private final SkippedTime time = new SkippedTime();
    private final RecordingFollower follower = new RecordingFollower();

    Bystander() throws InterruptedException {
      opened(agents(time).join(OTHER, follower, _ -> new PreparedAnswer()));
      engine.awaitMachine(OTHER);
      follower.await(() -> follower.acknowledgements() > 0);
    }

    /** It is told its schedule, and goes on being acknowledged. */
    void isServed(PlayedLeader leader) throws InterruptedException {
      leader.schedule("m2", entry(DB, 3_000));
      follower.awaitEntry(DB);
      for (int i = 0; i < 2; i++) {
        leaderTime.skip(TTL.dividedBy(3));
        beat(follower, time, 1);
      }
      assertThat(engine.gone()).doesNotContain("m2");
    }
  }

  @Test
  void aMachineThatReadsNothingHoldsUpNoOther() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = joinedOverAWire(leader);
    ask(List.of(leader.address()));
    var other = new Bystander();
    String large = "x".repeat(100_000);

    wire.freeze();
    for (int i = 1; i <= 2_000; i++) {
      leader.schedule("m1", large(WEB, large + i, i));
    }

    other.isServed(leader);
  }

  @Test
  void aMachineThatFloodsHoldsUpNoOther() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    var session = join();
    engine.awaitMachine(MACHINE);
    var other = new Bystander();
    var over = new CountDownLatch(1);
    Thread flooding =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; over.getCount() > 0; i++) {
                session.report(List.of(stated(UnitName.of("u" + i % 50 + ".service"), "s" + i)));
                session.present(MACHINE);
              }
            });

    other.isServed(leader);

    over.countDown();
    flooding.join();
  }

  @Test
  void anAnswerIsSentAsFastAsItIsRead() throws Exception {
    PlayedLeader leader = leader("s");
    leader.lead(7, engine);
    var answers = new LinkedBlockingQueue<>(List.of(new PreparedAnswer(), new PreparedAnswer()));
    PreparedAnswer slow = answers.element();
    opened(agents.join(MACHINE, follower, _ -> answers.remove()));
    engine.awaitMachine(MACHINE);
    Answer unread = leader.coordination.ask("m1", new Question.Status(WEB, false)).orElseThrow();
    Await.until(() -> answers.size() == 1);
    var written = new AtomicInteger();
    Thread writer = Thread.ofVirtual().start(() -> writeMuch(slow, written));
    PreparedAnswer quick = answers.element();
    Thread quickWriter = Thread.ofVirtual().start(() -> writeMuch(quick, new AtomicInteger()));

    // One that is read passes all of its bytes meanwhile.
    readMuch(leader.coordination.ask("m1", new Question.Status(DB, false)).orElseThrow());
    // The stream, the machine that reads ahead and the pipe hold no more than this.
    assertThat(written.get()).isLessThan(400_000);
    readMuch(unread);
    writer.join();
    quickWriter.join();
  }

  private static void writeMuch(PreparedAnswer answer, AtomicInteger written) {
    byte[] block = new byte[8192];
    try {
      for (int i = 0; i < 1_000; i++) {
        answer.write(block);
        written.addAndGet(block.length);
      }
      answer.end(0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void readMuch(Answer answer) throws Exception {
    try (answer) {
      assertThat(answer.body().readAllBytes()).hasSize(8_192_000);
      assertThat(answer.exitStatus()).isZero();
    }
  }

  @Test
  void anAnswerBreaksWithItsStream() throws Exception {
    PlayedLeader leader = leader("s");
    TcpProxy wire = wire(leader);
    leader.lead(7, engine);
    var answer = new PreparedAnswer();
    opened(agents.join(MACHINE, follower, _ -> answer));
    engine.awaitMachine(MACHINE);
    Answer asked = leader.coordination.ask("m1", new Question.Status(WEB, false)).orElseThrow();
    answer.write(new byte[] {1});
    assertThat(asked.body().read()).isEqualTo(1);

    wire.cut();

    answer.awaitClosed();
    assertThatThrownBy(() -> asked.body().read())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("m1");
  }

  /** Passes everything on. */
  private static class Forwarding implements EngineCoordination.Listener {
    private final EngineCoordination.Listener to;

    Forwarding(EngineCoordination.Listener to) {
      this.to = to;
    }

    @Override
    public void present(Machine machine) {
      to.present(machine);
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      to.reported(machine, reports);
    }

    @Override
    public void absent(String machine, String why) {
      to.absent(machine, why);
    }
  }
}
