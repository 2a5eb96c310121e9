package fleet.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.ClusterUnavailableException;
import fleet.core.machine.HostPort;
import fleet.rpc.CandidateAddresses;
import fleet.rpc.RpcChannels;
import fleet.rpc.RpcSecurity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderChannelTest {

  private static final Duration SHORT = Duration.ofMillis(1);
  private static final HostPort A = new HostPort("a", 1);
  private static final HostPort B = new HostPort("b", 2);

  private volatile List<HostPort> candidates = List.of();
  private final List<LeaderChannel> made = new ArrayList<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final LeaderChannel leaders =
      channel(() -> {
        looks.incrementAndGet();
        return candidates;
      });

  /** A channel connects when it is used, and none is here. */
  private LeaderChannel channel(CandidateAddresses addresses) {
    LeaderChannel channel =
        new LeaderChannel(addresses, new RpcChannels(new RpcSecurity.PlainText(true)));
    made.add(channel);
    return channel;
  }

  @AfterEach
  void close() {
    made.forEach(LeaderChannel::close);
  }

  private Optional<HostPort> other() throws InterruptedException {
    leaders.awaitOther(leaders.last(), SHORT);
    return address();
  }

  private Optional<HostPort> address() {
    return leaders.last().map(LeaderChannel.Sighting::address);
  }

  @Test
  void nobodyIsAskedBeforeSomebodyWantsToKnow() throws Exception {
    candidates = List.of(A);
    assertThat(leaders.last()).isEmpty();
    assertThat(looks).hasValue(0);
    assertThat(other()).contains(A);
    assertThat(address()).contains(A);
    assertThat(looks).hasValue(1);
  }

  @Test
  void whereOneDoesNotAnswerTheNextIsTriedAndThenTheFirstAgain() throws Exception {
    candidates = List.of(A, B);
    assertThat(other()).contains(A);
    assertThat(other()).contains(B);
    assertThat(other()).contains(A);
    candidates = List.of(B);
    assertThat(other()).contains(B);
    assertThat(other()).contains(B);
    candidates = List.of();
    assertThat(other()).isEmpty();
  }

  @Test
  void whatCannotBeFoundOutIsTriedAgain() throws Exception {
    LeaderChannel failing =
        channel(() -> {
          throw new IllegalStateException("no way");
        });
    failing.awaitOther(Optional.empty(), SHORT);
    assertThat(failing.last()).isEmpty();
  }

  @Test
  void oneLooksForAllWhoWait() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    LeaderChannel slow =
        channel(() -> {
          looks.incrementAndGet();
          asked.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return List.of(A);
        });
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  slow.awaitOther(Optional.empty(), Duration.ofHours(1));
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    asked.await();
    goOn.countDown();
    for (Thread thread : waiting) {
      thread.join();
    }
    assertThat(slow.last().map(LeaderChannel.Sighting::address)).contains(A);
    assertThat(looks).hasValue(1);
  }

  @Test
  void theSameLeaderIsAskedOnTheSameConnectionUnlessThatFailed() throws Exception {
    candidates = List.of(A);
    other();
    LeaderChannel.Sighting before = leaders.last().orElseThrow();
    other();
    LeaderChannel.Sighting after = leaders.last().orElseThrow();
    assertThat(after).isNotEqualTo(before);
    assertThat(after.channel()).isSameAs(before.channel());
    after.channel().shutdown();
    other();
    assertThat(leaders.last().orElseThrow().channel().isShutdown()).isFalse();
  }

  @Test
  void onceItIsClosedNobodyIsAsked() throws Exception {
    candidates = List.of(A);
    other();
    leaders.close();
    assertThat(leaders.last()).isEmpty();
    assertThatThrownBy(this::other)
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessage("fleetd is stopping");
  }

  @Test
  void theConnectionToAFormerLeaderEndsWithItsLastCall() throws Exception {
    candidates = List.of(A);
    other();
    LeaderChannel.Sighting before = leaders.last().orElseThrow();
    candidates = List.of(B);
    other();
    assertThat(before.channel().isShutdown()).isTrue();
    assertThat(leaders.last().orElseThrow().channel().isShutdown()).isFalse();
  }
}
