package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import fleet.coordination.HeardByEngine;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import fleet.coordination.SkippedTime;
import fleet.core.machine.HostPort;
import fleet.core.state.AgentReport;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.ReportMessages;
import fleet.rpc.message.ScheduleMessages;
import fleet.rpc.v1.Acknowledged;
import fleet.rpc.v1.Ask;
import fleet.rpc.v1.Entry;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Heartbeat;
import fleet.rpc.v1.Hello;
import fleet.rpc.v1.Piece;
import fleet.rpc.v1.Question;
import fleet.rpc.v1.Report;
import fleet.rpc.v1.Reports;
import fleet.rpc.v1.ReportsTaken;
import fleet.rpc.v1.Schedule;
import fleet.rpc.v1.Welcome;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * The other end of the stream is of the next version: it says what this one says, with fields that
 * this one does not know in every message, and messages that this one does not know in between.
 */
class NextVersionTest extends StreamTest {

  private static final int NEXT = StreamVersion.CURRENT + 1;
  private static final int UNHEARD_OF = 1_000;
  private static final UnitName ODD = UnitName.of("odd.service");

  /** A field of each kind that nobody has thought of yet. */
  private static UnknownFieldSet news() {
    return UnknownFieldSet.newBuilder()
        .addField(UNHEARD_OF, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
        .addField(
            UNHEARD_OF + 1,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8("what is this?"))
                .build())
        .build();
  }

  private static <B extends Message.Builder> B withNews(B message) {
    message.setUnknownFields(news());
    return message;
  }

  // ---- an agent of the next version

  @Test
  void anAgentOfTheNextVersionIsLed() throws Exception {
    var engine = new HeardByEngine();
    PlayedLeader leader = opened(new PlayedLeader("s"));
    leader.lead(7, engine);
    leader.schedule("m1", entry(WEB, 10));
    var heard = new Heard();
    var line = GrpcStreams.dial(channels, leader.address(), heard);
    heard.on = line;

    line.send(
        withNews(FromAgent.newBuilder())
            .setHello(
                withNews(Hello.newBuilder())
                    .setVersion(NEXT)
                    .setOldest(StreamVersion.CURRENT)
                    .setMachine(withNews(MachineMessages.message(MACHINE).toBuilder()))
                    .setSession("next")
                    .setTtlMillis(20_000))
            .build());
    assertThat(heard.await(FromLeader.SaidCase.WELCOME).getWelcome().getVersion())
        .isEqualTo(StreamVersion.CURRENT);
    engine.awaitMachine(MACHINE);
    assertThat(heard.await(FromLeader.SaidCase.SCHEDULE).getSchedule().getEntries(0).getUnit())
        .isEqualTo(WEB.value());

    // A message of a kind that this version does not know is neither answered nor taken amiss.
    line.send(withNews(FromAgent.newBuilder()).build());
    var freed = new AgentReport.Refused(WEB, new Incarnation("i"), 10, "why not");
    line.send(
        withNews(FromAgent.newBuilder())
            .setReports(
                withNews(Reports.newBuilder())
                    .setNumber(1)
                    .addReports(withNews(Report.newBuilder()).setUnit(DB.value()))
                    .addReports(withNews(ReportMessages.message(freed).toBuilder())))
            .build());
    // With the second, as the first alone is answered with whatever is said next.
    line.send(FromAgent.newBuilder().setReports(Reports.newBuilder().setNumber(2)).build());
    assertThat(heard.await(FromLeader.SaidCase.REPORTS_TAKEN).getReportsTaken().getNumber())
        .isEqualTo(2);
    engine.awaitReport("m1", freed);
    assertThat(engine.report("m1", DB)).isEmpty();
    line.send(
        withNews(FromAgent.newBuilder())
            .setHeartbeat(withNews(Heartbeat.newBuilder()).setNumber(3))
            .build());
    assertThat(heard.await(FromLeader.SaidCase.ACKNOWLEDGED).getAcknowledged().getNumber())
        .isEqualTo(3);
    assertThat(engine.machine("m1")).contains(MACHINE);
    line.end();
  }

  @Test
  void oneThatUnderstandsThisVersionNoMoreIsToldSo() throws Exception {
    PlayedLeader leader = opened(new PlayedLeader("s"));
    leader.lead(7, new HeardByEngine());
    var heard = new Heard();
    var line = GrpcStreams.dial(channels, leader.address(), heard);
    heard.on = line;

    line.send(
        FromAgent.newBuilder()
            .setHello(
                Hello.newBuilder()
                    .setVersion(NEXT + 1)
                    .setOldest(NEXT)
                    .setMachine(MachineMessages.message(MACHINE))
                    .setSession("far")
                    .setTtlMillis(20_000))
            .build());

    assertThat(heard.await(FromLeader.SaidCase.REFUSED).getRefused().getWhy()).contains("upgrade");
  }

  /** The messages of a leader to an agent that is played here. */
  private static final class Heard implements MessageStream.Listener<FromLeader> {
    private final BlockingQueue<FromLeader> said = new LinkedBlockingQueue<>();
    private volatile MessageStream<FromAgent> on;

    Heard() {
      on = new Nobody();
    }

    @Override
    public void heard(FromLeader message) {
      said.add(message);
      on.next();
    }

    @Override
    public void ready() {}

    @Override
    public void ended(String why) {}

    FromLeader await(FromLeader.SaidCase what) throws InterruptedException {
      FromLeader next = said.take();
      while (next.getSaidCase() != what) {
        next = said.take();
      }
      return next;
    }
  }

  private static final class Nobody implements MessageStream<FromAgent> {
    @Override
    public void send(FromAgent message) {}

    @Override
    public boolean isReady() {
      return false;
    }

    @Override
    public void next() {}

    @Override
    public void end() {}

    @Override
    public void cut(String why) {}
  }

  // ---- a leader of the next version

  private final SkippedTime time = new SkippedTime();

  @Test
  void aLeaderOfTheNextVersionIsObeyedInAllThatIsUnderstood() throws Exception {
    SpokenLeader leader = opened(new SpokenLeader(NextVersionTest::answer));
    var follower = new RecordingFollower();
    var session =
        opened(agents(leader.address()).join(MACHINE, follower, _ -> new PreparedAnswer()));

    follower.awaitEntry(WEB);
    assertThat(follower.machine()).isEqualTo(MACHINE);
    assertThat(follower.leftAlone()).containsExactly(ODD);
    assertThat(follower.entry(WEB)).contains(entry(WEB, 10));
    var refused = new AgentReport.Refused(WEB, new Incarnation("i"), 10, "why not");
    session.report(List.of(refused));
    assertThat(leader.await(FromAgent.SaidCase.REPORTS).getReports().getReportsList())
        .containsExactly(ReportMessages.message(refused));
    // Answers with something that it does not know, and then with what it waits for.
    StreamFaultsFixture.beat(follower, time, 2);
    assertThat(leader.arrivals).hasValue(1);
    assertThat(fatal).isEmpty();
  }

  @Test
  void aQuestionOfAnUnknownKindIsRefusedAndTheStreamGoesOn() throws Exception {
    SpokenLeader leader =
        opened(
            new SpokenLeader((message, line) -> {
              answer(message, line);
              if (message.hasHello()) {
                Ask ask = withNews(Ask.newBuilder()).setId(5).build();
                line.send(message().setAsk(ask).build());
                Question about = withNews(Question.newBuilder()).build();
                line.send(message().setAsk(ask.toBuilder().setId(6).setQuestion(about)).build());
              }
            }));
    var follower = new RecordingFollower();
    opened(agents(leader.address()).join(MACHINE, follower, _ -> new PreparedAnswer()));

    for (int id = 5; id <= 6; id++) {
      Piece piece = leader.await(FromAgent.SaidCase.PIECE).getPiece();
      assertThat(piece.getId()).isEqualTo(id);
      assertThat(piece.getEnded().getExitStatus()).isNotZero();
      assertThat(piece.getEnded().getProblem()).contains("upgrade it");
    }
    StreamFaultsFixture.beat(follower, time, 2);
    assertThat(leader.arrivals).hasValue(1);
  }

  private RpcAgentCoordination agents(HostPort address) {
    return new RpcAgentCoordination(
        () -> List.of(address),
        StreamConnector.over(channels),
        time::start,
        StreamFaultsFixture.TTL,
        fatal::add);
  }

  private static FromLeader.Builder message() {
    return withNews(FromLeader.newBuilder()).setStore("s").setToken(7);
  }

  private static void answer(FromAgent message, MessageStream<FromLeader> line) {
    line.send(message().build());
    switch (message.getSaidCase()) {
      case HELLO -> {
        line.send(message().setWelcome(withNews(Welcome.newBuilder()).setVersion(NEXT)).build());
        line.send(message().setSchedule(schedule()).build());
      }
      case HEARTBEAT ->
          line.send(
              message()
                  .setAcknowledged(
                      withNews(Acknowledged.newBuilder())
                          .setNumber(message.getHeartbeat().getNumber()))
                  .build());
      case REPORTS ->
          line.send(
              message()
                  .setReportsTaken(
                      withNews(ReportsTaken.newBuilder())
                          .setNumber(message.getReports().getNumber()))
                  .build());
      default -> {}
    }
  }

  /** One entry that this version reads, and one that is to become what nobody knows. */
  private static Schedule schedule() {
    var part = new ScheduleMessages.Writer();
    part.put(entry(WEB, 10));
    Schedule.Builder known = part.message();
    Entry entry = known.getEntries(0);
    return withNews(Schedule.newBuilder())
        .setReplacesAll(true)
        .setMachine(withNews(MachineMessages.message(MACHINE).toBuilder()))
        .addAllFiles(known.getFilesList())
        .addEntries(withNews(entry.toBuilder()))
        .addEntries(withNews(entry.toBuilder().setUnit(ODD.value()).setTarget("suspended")))
        .build();
  }
}
