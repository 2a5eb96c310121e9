package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.coordination.SkippedTime;
import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.testing.Await;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Agents and answers that are slow, or far too much. */
class StreamLoadTest extends StreamFaultsFixture {
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
        TargetState.LAUNCHED,
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
                if (i % 1_000 == 0) {
                  // As many as the machine takes in: more would fill the memory of the test.
                  agentTime.skip(Duration.ZERO);
                }
              }
            });

    try {
      other.isServed(leader);
    } finally {
      over.countDown();
      flooding.join();
    }
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
}
