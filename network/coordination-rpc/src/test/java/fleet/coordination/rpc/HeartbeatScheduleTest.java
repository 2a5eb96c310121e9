package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.HeartbeatInterval;
import fleet.coordination.PlayedTime;
import fleet.core.machine.HostPort;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.rpc.v1.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When machines speak, and how many of them at a time. */
class HeartbeatScheduleTest {

  private static final int MACHINES = 200;

  /** Clocks that never jump may begin anywhere. */
  private final PlayedTime time = new PlayedTime(-987_654_321L);

  private final List<Long> heard = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 6, 24, 60})
  void machinesThatComeOneByOneSpeakInStep(long seconds) {
    Duration ttl = Duration.ofSeconds(seconds);
    long interval = HeartbeatInterval.of(ttl).toNanos();
    var chance = new Random(1);
    for (int i = 0; i < MACHINES; i++) {
      machine(ttl, now -> HeartbeatSchedule.next(ttl, now));
      time.pass(Duration.ofNanos(chance.nextLong(interval / 50)));
    }
    time.pass(Duration.ofNanos(3 * interval));

    heard.clear();
    time.pass(Duration.ofNanos(interval));
    assertThat(heard).hasSizeBetween(MACHINES * 15 / 16, MACHINES * 17 / 16);
    long moments = Math.max(16, interval / Duration.ofMillis(500).toNanos());
    assertThat(new TreeSet<>(heard)).hasSizeLessThanOrEqualTo((int) moments + 1);
  }

  @Test
  void nobodySpeaksMuchMoreOrLessOftenThanByItself() {
    for (long seconds : new long[] {2, 3, 6, 20, 24, 600, 3_600}) {
      Duration ttl = Duration.ofSeconds(seconds);
      Duration own = HeartbeatInterval.of(ttl);
      assertThat(
              LongStream.rangeClosed(-100, 100)
                  .mapToObj(i -> HeartbeatSchedule.next(ttl, i * 123_456_789L)))
          .allMatch(next -> HeartbeatSchedule.isReasonable(next, ttl))
          .allMatch(next -> next.minus(own).abs().compareTo(own.dividedBy(32)) <= 0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_800, 2_200, 1_000_000})
  void whatIsNoneOfAPaceIsNotFollowed(long millis) {
    Duration ttl = Duration.ofSeconds(6);
    machine(ttl, _ -> Duration.ofMillis(millis));
    time.pass(Duration.ofSeconds(20));
    assertThat(heard).hasSize(10);
  }

  /**
   * One that is welcome.
   *
   * @param next what a heartbeat is answered with at which moment
   */
  private void machine(Duration ttl, LongFunction<Duration> next) {
    var owner = new Answered();
    var stream = new LeaderStream(time, ttl, ttl, new HostPort("127.0.0.1", 1), owner);
    stream.open((_, _) -> new Leader(stream, next), Hello::getDefaultInstance);
    stream.welcome();
  }

  /** Hears heartbeats, and answers them at once. */
  private final class Leader implements MessageStream<FromAgent> {
    private final LeaderStream stream;
    private final LongFunction<Duration> next;

    Leader(LeaderStream stream, LongFunction<Duration> next) {
      this.stream = stream;
      this.next = next;
    }

    @Override
    public void send(FromAgent message) {
      if (message.hasHeartbeat()) {
        long now = time.nanoTime();
        heard.add(now);
        Duration wish = next.apply(now);
        time.postAfter(
            Duration.ofMillis(1), () -> stream.answered(message.getHeartbeat().getNumber(), wish));
      }
    }

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

  private static final class Answered implements LeaderStream.Owner {
    @Override
    public void heard(LeaderStream stream, FromLeader message) {}

    @Override
    public void ready(LeaderStream stream) {}

    @Override
    public void acknowledged(LeaderStream stream, Duration ago) {}

    @Override
    public void ended(LeaderStream stream, String why) {}
  }
}
