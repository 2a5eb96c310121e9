package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.HeardByEngine;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.testing.Await;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Faults between agents and leaders, over TCP. */
class StreamFaultsTest extends StreamFaultsFixture {
  /** In it an agent finds out that nobody answers, and no leader gives the machine up. */
  private static final Duration UNANSWERED = TTL.multipliedBy(9).dividedBy(10);

  /** A guest of a leader is sent away after it. */
  private static final Duration PATIENCE = TTL.dividedBy(3).plusSeconds(1);

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
    engine.awaitGone("m1");
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
  void whatTheLeaderCannotReadIsLeftAloneAlsoByAnAgentThatComesAgain() throws Exception {
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

  /** The leader relies on what the hello said. */
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
}
