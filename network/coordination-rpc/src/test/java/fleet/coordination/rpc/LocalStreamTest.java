package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Heartbeat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocalStreamTest {

  private final Ear<FromLeader> agent = new Ear<>();
  private final Ear<FromAgent> leader = new Ear<>();
  private @Nullable MessageStream<FromLeader> leaderEnd;
  private final MessageStream<FromAgent> agentEnd =
      LocalStream.open(
          line -> {
            leaderEnd = line;
            return leader;
          },
          agent);

  /** Hears one after the other, or notices that it does not. */
  private static final class Ear<T> implements MessageStream.Listener<T> {
    private final AtomicBoolean hears = new AtomicBoolean();
    private final List<T> heard = Collections.synchronizedList(new ArrayList<>());
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    private volatile Runnable onHeard = () -> {};
    private volatile boolean disturbed;
    private final AtomicInteger ready = new AtomicInteger();

    @Override
    public void heard(T message) {
      disturbed |= !hears.compareAndSet(false, true);
      heard.add(message);
      onHeard.run();
      hears.set(false);
    }

    @Override
    public void ready() {
      ready.incrementAndGet();
    }

    @Override
    public void ended(String why) {
      ended.add(why);
    }
  }

  private MessageStream<FromLeader> leaderEnd() {
    return Objects.requireNonNull(leaderEnd);
  }

  private static FromAgent message(long number) {
    return FromAgent.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(number)).build();
  }

  private List<Long> numbers() {
    return leader.heard.stream().map(message -> message.getHeartbeat().getNumber()).toList();
  }

  private void sendTo(long last) {
    LongStream.rangeClosed(1, last).mapToObj(LocalStreamTest::message).forEach(agentEnd::send);
  }

  @Test
  void oneComesForWhichThereIsRoomAndTheNextWhereItIsMade() {
    sendTo(3);
    assertThat(numbers()).containsExactly(1L);
    leaderEnd().next();
    assertThat(numbers()).containsExactly(1L, 2L);
    leaderEnd().next();
    leaderEnd().next();
    assertThat(numbers()).containsExactly(1L, 2L, 3L);
    agentEnd.send(message(4));
    assertThat(numbers()).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void whoMakesRoomWhileItHearsHearsAll() {
    leader.onHeard = leaderEnd()::next;
    sendTo(100_000);
    assertThat(numbers()).hasSize(100_000).isSorted();
  }

  @Test
  void whoSendsMoreThanIsHeardIsToldToWaitAndWhenItMayGoOn() {
    int sent = 0;
    while (agentEnd.isReady()) {
      agentEnd.send(message(++sent));
      assertThat(sent).as("sent and not heard").isLessThan(100);
    }
    assertThat(agent.ready).hasValue(0);
    leaderEnd().next();
    assertThat(agent.ready).hasValue(1);
    assertThat(agentEnd.isReady()).isTrue();
    leaderEnd().next();
    assertThat(agent.ready).hasValue(1);
  }

  @Test
  void aLeaderThatSendsTooMuchIsToldToo() {
    while (leaderEnd().isReady()) {
      leaderEnd().send(FromLeader.getDefaultInstance());
    }
    agentEnd.next();
    assertThat(leader.ready).hasValue(1);
  }

  @Test
  void manyMaySendAtOnceAndAllIsHeardOneAfterTheOther() throws Exception {
    leader.onHeard = leaderEnd()::next;
    List<Thread> senders =
        IntStream.range(0, 8)
            .mapToObj(_ -> Thread.ofPlatform().start(() -> sendTo(5_000)))
            .toList();
    for (Thread sender : senders) {
      sender.join();
    }
    assertThat(leader.heard).hasSize(40_000);
    assertThat(leader.disturbed).isFalse();
  }

  @Test
  void whatWasSentBeforeTheEndStillArrives() {
    sendTo(2);
    agentEnd.end();
    agentEnd.send(message(3));
    assertThat(agentEnd.isReady()).isFalse();
    assertThat(leader.ended).isEmpty();
    leaderEnd().next();
    leaderEnd().next();
    assertThat(numbers()).containsExactly(1L, 2L);
    assertThat(leader.ended).containsExactly("the agent has ended it");
    assertThat(agent.ended).containsExactly("it was ended");
  }

  @Test
  void aLeadersLastWordArrivesBeforeTheEnd() {
    agent.onHeard = () -> assertThat(agent.ended).isEmpty();
    leaderEnd().send(FromLeader.getDefaultInstance());
    leaderEnd().end();
    assertThat(agent.heard).hasSize(1);
    assertThat(agent.ended).containsExactly("it was ended");
    assertThat(leader.ended).hasSize(1);
  }

  @Test
  void whatIsCutEndsAtOnceAndOnce() {
    sendTo(2);
    agentEnd.cut("no answer");
    leaderEnd().cut("not wanted");
    leaderEnd().next();
    assertThat(numbers()).containsExactly(1L);
    assertThat(leader.ended).containsExactly("it broke");
    assertThat(agent.ended).containsExactly("no answer");
    assertThat(leaderEnd().isReady()).isFalse();
  }
}
