package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.OfferMessages;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Heartbeat;
import fleet.rpc.v1.Reports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A machine of the cluster that says more than it should, or hears nothing. */
class FloodTest extends StreamTest {

  private static final int MANY = 100_000;

  private final AtomicInteger handedOn = new AtomicInteger();
  private final LinkedBlockingQueue<Runnable> takenIn = new LinkedBlockingQueue<>();
  private final EventThread loop = opened(new EventThread("test", () -> {}));
  private final RpcEngineCoordination coordination =
      opened(new RpcEngineCoordination(() -> "s", () -> true, () -> "", (_, _) -> loop));
  private final Reader reader = new Reader();
  private final MessageStream.Listener<FromAgent> stream =
      coordination.arrived(reader, Optional.empty());

  /** The way to a machine, which reads only when a test says so. */
  private static final class Reader implements MessageStream<FromLeader> {
    private final List<FromLeader> piledUp = new ArrayList<>();
    private boolean reads = true;
    private int room = 1;
    private final CountDownLatch cut = new CountDownLatch(1);

    @Override
    public synchronized void send(FromLeader message) {
      piledUp.add(message);
    }

    @Override
    public synchronized boolean isReady() {
      return reads;
    }

    synchronized void reads(boolean now) {
      reads = now;
    }

    synchronized List<FromLeader> take() {
      List<FromLeader> all = List.copyOf(piledUp);
      piledUp.clear();
      return all;
    }

    @Override
    public synchronized void next() {
      room++;
    }

    synchronized boolean takesRoom() {
      return room > 0 && room-- > 0;
    }

    @Override
    public void end() {
      cut.countDown();
    }

    @Override
    public void cut(String why) {
      cut.countDown();
    }
  }

  /** An engine that is told, and takes nothing in before the test has it do so. */
  private final class StuckEngine implements EngineCoordination.Listener {
    @Override
    public void present(Machine machine) {
      handedOn.incrementAndGet();
    }

    @Override
    public void reported(String machine, List<AgentReport> reports) {
      handedOn.incrementAndGet();
    }

    @Override
    public void bid(String machine, Bid bid) {
      handedOn.incrementAndGet();
    }

    @Override
    public void absent(String machine, String why) {}

    @Override
    public void takenIn(Runnable then) {
      takenIn.add(then);
    }
  }

  private static FromAgent.Builder say() {
    return FromAgent.newBuilder();
  }

  private void greet() {
    coordination.lead(new Term(7, true), new StuckEngine());
    say(hello());
  }

  private static FromAgent hello() {
    return hello(MACHINE, Duration.ofHours(1));
  }

  /** Says it if there is room, and waits until it has been dealt with. */
  private boolean say(FromAgent message) {
    if (!reader.takesRoom()) {
      return false;
    }
    stream.heard(message);
    settle();
    return true;
  }

  private void settle() {
    int _ = loop.call(() -> 0);
  }

  /** How many of them there was room for. */
  private int flood(FromAgent message) {
    int said = 0;
    while (said < MANY && say(message)) {
      said++;
    }
    return said;
  }

  private void takeAllIn() {
    do {
      takenIn.remove().run();
      settle();
      settle();
    } while (!takenIn.isEmpty());
  }

  @Test
  void whoReadsNothingIsOwedOnlyTheNewestAnswer() {
    greet();
    List<FromLeader> welcome = reader.take();
    assertThat(welcome).extracting(FromLeader::getSaidCase).contains(FromLeader.SaidCase.WELCOME);

    reader.reads(false);
    for (int i = 1; i <= 1_000; i++) {
      assertThat(say(say().setHeartbeat(Heartbeat.newBuilder().setNumber(i)).build())).isTrue();
    }
    assertThat(reader.take()).isEmpty();

    reader.reads(true);
    stream.ready();
    assertThat(reader.take())
        .extracting(message -> message.getAcknowledged().getNumber())
        .containsExactly(1_000L);
  }

  @Test
  void whoReportsAndReadsNothingIsOwedOnlyTheNewestReceipt() {
    greet();
    takeAllIn();
    reader.take();

    reader.reads(false);
    for (int i = 1; i <= 1_000; i++) {
      assertThat(say(say().setReports(Reports.newBuilder().setNumber(i)).build())).isTrue();
      takeAllIn();
    }
    assertThat(reader.take()).isEmpty();

    reader.reads(true);
    stream.ready();
    assertThat(reader.take())
        .extracting(message -> message.getReportsTaken().getNumber())
        .containsExactly(1_000L);
  }

  @Test
  void whoDescribesItselfAgainAndAgainWaitsForTheEngine() {
    holdsBack(say().setMachine(MachineMessages.message(MACHINE)).build());
  }

  @Test
  void whoBidsAgainAndAgainWaitsForTheEngine() {
    holdsBack(
        say()
            .setBid(OfferMessages.message(new Bid.Declined(UnitName.of("web.service"), "o1", "no")))
            .build());
  }

  @Test
  void whoReportsAgainAndAgainWaitsForTheEngine() {
    holdsBack(say().setReports(Reports.newBuilder().setNumber(1)).build());
  }

  private void holdsBack(FromAgent message) {
    greet();

    int said = flood(message);

    assertThat(said).isLessThan(5_000);
    takeAllIn();
    assertThat(handedOn).hasValue(said + 1);
    assertThat(say(message)).isTrue();
  }

  @Test
  void whoSaysHelloAgainIsCutOff() throws Exception {
    greet();

    say(hello());

    reader.cut.await();
    takeAllIn();
    assertThat(handedOn).hasValue(1);
  }

  @Test
  void whoSaysHelloAgainWhileNobodyLeadsIsNoGuestAnyMore() throws Exception {
    say(hello());
    say(hello());
    reader.cut.await();

    coordination.lead(new Term(7, true), new StuckEngine());
    settle();

    assertThat(handedOn).hasValue(0);
  }
}
