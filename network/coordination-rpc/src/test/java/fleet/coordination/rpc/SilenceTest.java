package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import fleet.coordination.HeardByEngine;
import fleet.coordination.Leadership.Term;
import fleet.coordination.PlayedTime;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** When a leader gives up machines that say nothing, on the time of its loop. */
class SilenceTest extends StreamTest {

  private static final Duration TTL = Duration.ofSeconds(6);
  private static final Duration MOMENT = Duration.ofMillis(1);

  /** The leader notices a silence by then. */
  private static final Duration LATEST_NOTICE = Duration.ofMillis(250);

  private static final Machine OTHER = new Machine("m2", "boot-2", "10.0.0.2", Map.of(), "test");

  private final PlayedTime time = new PlayedTime(0);
  private final AtomicBoolean certain = new AtomicBoolean(true);
  private final HeardByEngine engine = new HeardByEngine();
  private final RpcEngineCoordination coordination =
      opened(new RpcEngineCoordination(() -> "s", certain::get, () -> "", time::start));

  @BeforeEach
  void lead() {
    coordination.lead(new Term(7, true), engine);
  }

  private MessageStream.Listener<FromAgent> come(Machine machine) {
    return come(machine, Optional.empty());
  }

  private MessageStream.Listener<FromAgent> come(Machine machine, Optional<RpcPeer> peer) {
    MessageStream.Listener<FromAgent> stream = coordination.arrived(new Unread(), peer);
    stream.heard(hello(machine, TTL));
    assertThat(engine.machine(machine.id())).contains(machine);
    return stream;
  }

  /** Its units might run twice, should it be cut off when the leader changes. */
  @Test
  void machinesThatAreNotConfiguredAlikeAreToldOnce() {
    var log = (Logger) LoggerFactory.getLogger(AgentRegistry.class);
    var told = new ListAppender<ILoggingEvent>();
    told.start();
    log.addAppender(told);
    try {
      come(MACHINE);
      come(MACHINE.withIsolation(Isolation.KEEP));
      assertThat(told.list).isEmpty();
      come(OTHER.withIsolation(Isolation.STOP));
      come(OTHER.withIsolation(Isolation.STOP));
    } finally {
      log.detachAppender(told);
    }

    assertThat(told.list)
        .singleElement()
        .asString()
        .contains("machine m1 has 6.0 s, keep, machine m2 has 6.0 s, stop");
  }

  /** Otherwise the one server of a cluster would be one of two, and nobody would seem to lead. */
  @Test
  void anAgentStaysOneUntilItIsGone() {
    come(OTHER, Optional.of(new RpcPeer("m2", true)));
    MessageStream.Listener<FromAgent> stream = come(MACHINE, Optional.of(new RpcPeer("m1", false)));
    stream.ended("the agent has ended");
    time.pass(TTL.dividedBy(2));
    assertThat(coordination.agents()).containsExactly("m1");

    time.pass(TTL);
    assertThat(engine.gone()).contains("m1");
    assertThat(coordination.agents()).isEmpty();
  }

  @Test
  void aSilentMachineIsGoneAfterItsTime() {
    come(MACHINE);

    time.pass(TTL.minus(MOMENT));
    assertThat(engine.gone()).isEmpty();

    time.pass(MOMENT.plus(LATEST_NOTICE));
    assertThat(engine.gone()).containsExactly("m1");
  }

  @Test
  void whoIsSilentTooIsDoubtfulWhenTheFirstIsGone() {
    come(MACHINE);
    time.pass(TTL.dividedBy(4));
    come(OTHER);

    time.pass(TTL.minus(TTL.dividedBy(4)).plus(LATEST_NOTICE));

    assertThat(engine.gone()).containsExactly("m1");
    assertThat(engine.doubted()).containsExactly("m2");
  }

  @Test
  void timeInWhichTheLeaderWasPausedIsNoSilence() {
    come(MACHINE);

    time.freeze(TTL.plusSeconds(1));
    time.pass(LATEST_NOTICE);
    assertThat(engine.gone()).isEmpty();

    time.pass(TTL);
    assertThat(engine.gone()).containsExactly("m1");
  }

  @Test
  void whoIsNotThereAnyMoreIsLostOnceTheLeaderMayAnswer() {
    MessageStream.Listener<FromAgent> stream = come(MACHINE);

    certain.set(false);
    stream.ended("the agent has ended");
    time.pass(TTL.multipliedBy(2));
    assertThat(engine.gone()).isEmpty();

    certain.set(true);
    time.pass(TTL.plus(LATEST_NOTICE));
    assertThat(engine.gone()).containsExactly("m1");
  }

  /** The way to a machine; nobody looks at what is sent. */
  private static final class Unread implements MessageStream<FromLeader> {
    @Override
    public void send(FromLeader message) {}

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void next() {}

    @Override
    public void end() {}

    @Override
    public void cut(String why) {}
  }
}
