package fleet.coordination;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Machine;
import fleet.core.machine.Overcommit;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.schedule.TargetState;
import fleet.core.state.AgentReport;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.core.unit.UnitOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guarantees that engine and agents rely on, whichever way they talk to each other. */
public abstract class CoordinationContract {

  protected static final UnitName WEB = UnitName.of("web.service");
  protected static final UnitName DB = UnitName.of("db.service");
  protected static final Machine MACHINE =
      new Machine("m1", "boot-1", "10.0.0.1", Map.of("disk", "ssd"), "test")
          .withHost("node1", "x86_64");

  protected final HeardByEngine engine = new HeardByEngine();
  protected final RecordingFollower follower = new RecordingFollower();
  private final BlockingQueue<Question> asked = new ArrayBlockingQueue<>(10);
  private final PreparedAnswer answer = new PreparedAnswer();
  private final BlockingQueue<Offered> offered = new ArrayBlockingQueue<>(10);
  private final BlockingQueue<Offer> withdrawn = new ArrayBlockingQueue<>(10);

  /** An offer that the machine has heard of, and how it answers. */
  private record Offered(Offer offer, Consumer<Bid> answer) {}

  /** A machine that waits until it is told what to answer. */
  private final class ToldWhatToAnswer implements Answerer {
    @Override
    public Answer answer(Question question) {
      asked.add(question);
      return answer;
    }

    @Override
    public PendingBid bid(Offer offer, Consumer<Bid> then) {
      offered.add(new Offered(offer, then));
      return () -> withdrawn.add(offer);
    }
  }

  protected abstract AgentCoordination agents();

  protected abstract EngineCoordination questions();

  /** The listener hears from now on what a leading engine hears. */
  protected abstract void lead(EngineCoordination.Listener listener);

  /** Does what an engine does when it has put an entry, or another one, into a schedule. */
  protected abstract void schedule(String machine, ScheduleEntry entry);

  /** Does what an engine does when it has taken an entry out of a schedule. */
  protected abstract void unschedule(String machine, UnitName unit);

  /** Does what an engine does that offers a unit to one machine. */
  protected void offer(String machine, Offer offer) {
    questions().offer(machine, offer);
  }

  /** Does what an engine does that has offered a unit to one machine. */
  protected void withdraw(String machine, UnitName unit) {
    questions().withdraw(machine, unit);
  }

  protected static ScheduleEntry entry(UnitName unit, TargetState target, long restartCounter) {
    return new ScheduleEntry(
        unit,
        new Incarnation("i-" + unit.value()),
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/" + unit.value()))),
        target,
        restartCounter,
        false,
        0,
        Overcommit.NONE,
        List.of("MachineMetadata=disk=ssd"));
  }

  protected static AgentReport stated(UnitName unit, String sub) {
    return new AgentReport.Stated(
        new UnitState(
            unit,
            MACHINE.id(),
            new Incarnation("i-" + unit.value()),
            "hash",
            DesiredState.LAUNCHED,
            1,
            new SystemdState("loaded", "active", sub, "success", "abc", 0, Instant.EPOCH, 3, 9),
            ""));
  }

  protected AgentCoordination.Session join() {
    return agents().join(MACHINE, follower, new ToldWhatToAnswer());
  }

  @BeforeEach
  void lead() {
    lead(engine);
  }

  @Test
  void aMachineThatJoinsIsSeenAsItPresentsItself() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
    }
  }

  @Test
  void theWholeScheduleComesFirstAndThenWhatChanges() throws Exception {
    schedule(MACHINE.id(), entry(WEB, TargetState.LAUNCHED, 1));
    schedule("m2", entry(UnitName.of("other.service"), TargetState.LAUNCHED, 1));
    try (var _ = join()) {
      follower.awaitEntry(WEB);
      assertThat(follower.heard().getFirst()).isEqualTo("snapshot");
      assertThat(follower.machine()).isEqualTo(MACHINE);
      assertThat(follower.entry(WEB).orElseThrow())
          .usingRecursiveComparison()
          .ignoringFields("revision")
          .withEqualsForType(UnitFile::equals, UnitFile.class)
          .isEqualTo(entry(WEB, TargetState.LAUNCHED, 1));

      schedule(MACHINE.id(), entry(DB, TargetState.LOADED, 0));
      follower.awaitEntry(DB);
      schedule(MACHINE.id(), entry(WEB, TargetState.STOPPING, 1));
      follower.awaitTarget(WEB, TargetState.STOPPING);
      unschedule(MACHINE.id(), WEB);
      follower.awaitNothingOf(WEB);

      assertThat(follower.schedule()).containsOnlyKeys(DB);
      assertThat(follower.heard()).filteredOn("snapshot"::equals).hasSize(1);
    }
  }

  @Test
  void theLastReportOfEachUnitArrives() throws Exception {
    schedule(MACHINE.id(), entry(WEB, TargetState.LAUNCHED, 1));
    schedule(MACHINE.id(), entry(DB, TargetState.STOPPING, 1));
    try (var session = join()) {
      engine.awaitMachine(MACHINE);
      follower.awaitEntry(DB);
      for (int i = 0; i < 100; i++) {
        session.report(List.of(stated(WEB, "sub-" + i)));
      }
      var gone = new AgentReport.Gone(DB, new Incarnation("i"), 7, true);
      session.report(List.of(stated(DB, "stop"), gone));

      engine.awaitReport(MACHINE.id(), stated(WEB, "sub-99"));
      engine.awaitReport(MACHINE.id(), gone);
    }
  }

  @Test
  void aRefusalCanBeTakenBack() throws Exception {
    try (var session = join()) {
      engine.awaitMachine(MACHINE);
      var refused = new AgentReport.Refused(WEB, new Incarnation("i"), 7, "somebody else's");
      session.report(List.of(refused));
      engine.awaitReport(MACHINE.id(), refused);

      session.report(List.of(new AgentReport.Freed(WEB)));

      engine.await(() -> engine.report(MACHINE.id(), WEB).isEmpty());
    }
  }

  @Test
  void aChangedDescriptionReachesTheEngineAndComesBack() throws Exception {
    try (var session = join()) {
      follower.await(() -> follower.machine() != null);
      Machine changed = MACHINE.withMetadata(Map.of("disk", "tape"));

      session.present(changed);

      engine.awaitMachine(changed);
      follower.await(() -> changed.equals(follower.machine()));
    }
  }

  @Test
  void whoLeavesIsGoneAtOnce() throws Exception {
    try (var session = join()) {
      engine.awaitMachine(MACHINE);
      session.leave(true);
      engine.await(() -> engine.machine(MACHINE.id()).isEmpty());
    }
  }

  private Answer ask(Question question) throws Exception {
    Optional<Answer> asking = questions().ask(MACHINE.id(), question);
    assertThat(asked.take()).isEqualTo(question);
    return asking.orElseThrow();
  }

  @Test
  void aQuestionIsAnsweredByItsMachine() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
      try (Answer answering = ask(new Question.Status(WEB, true))) {
        answer.write("web ist läuft\n".getBytes(UTF_8));
        answer.end(3);
        assertThat(answering.body().readAllBytes()).isEqualTo("web ist läuft\n".getBytes(UTF_8));
        assertThat(answering.exitStatus()).isEqualTo(3);
      }
      assertThat(questions().ask("nobody", new Question.Status(WEB, false))).isEmpty();
    }
  }

  @Test
  void whatIsFollowedComesAsItIsWrittenAndEndsWhereNobodyReads() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
      Answer answering = ask(new Question.Journal(WEB, 10, true, "short"));
      for (int i = 0; i < 20; i++) {
        answer.write(new byte[] {(byte) i});
        assertThat(answering.body().read()).isEqualTo(i);
      }

      answering.close();

      answer.awaitClosed();
    }
  }

  // ---- offers

  private static Offer offer(String id) {
    return new Offer(
        WEB,
        id,
        new UnitFile(List.of(new UnitOption("Service", "ExecStart", "/bin/web"))),
        List.of("Memory=1G"));
  }

  private Offered awaitOffer() throws InterruptedException {
    return offered.take();
  }

  /** The machine is offered a unit, and answers. */
  protected void offerAndBid(Bid bid) throws InterruptedException {
    offer(MACHINE.id(), offer(bid.offer()));
    awaitOffer().answer().accept(bid);
    engine.awaitBid(MACHINE.id(), bid);
  }

  @Test
  void aMachineBidsForWhatIsOfferedAndMayAnswerOtherwiseLater() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
      offer(MACHINE.id(), offer("1"));
      Offered open = awaitOffer();
      assertThat(open.offer()).isEqualTo(offer("1"));
      for (Bid bid :
          List.<Bid>of(
              new Bid.Declined(WEB, "1", "it is busy"), new Bid.Made(WEB, "1", 7, "measured"))) {
        open.answer().accept(bid);
        engine.awaitBid(MACHINE.id(), bid);
      }
      assertThat(withdrawn).isEmpty();
      withdraw(MACHINE.id(), WEB);
      assertThat(withdrawn.take()).isEqualTo(offer("1"));
    }
  }

  @Test
  void whatIsOfferedAgainReplacesWhatWasOfferedBefore() throws Exception {
    try (var _ = join()) {
      engine.awaitMachine(MACHINE);
      offer(MACHINE.id(), offer("1"));
      Offered before = awaitOffer();
      offer(MACHINE.id(), offer("2"));
      Offered now = awaitOffer();
      assertThat(now.offer()).isEqualTo(offer("2"));
      assertThat(withdrawn.take()).isEqualTo(offer("1"));
      Bid bid = new Bid.Made(WEB, "2", 3, "measured");
      now.answer().accept(bid);
      engine.awaitBid(MACHINE.id(), bid);
      assertThat(before).isNotEqualTo(now);
    }
  }

  @Test
  void whoLeavesBidsNoMore() throws Exception {
    var session = join();
    engine.awaitMachine(MACHINE);
    offer(MACHINE.id(), offer("1"));
    var _ = awaitOffer();
    session.close();
    assertThat(withdrawn.take()).isEqualTo(offer("1"));
  }
}
