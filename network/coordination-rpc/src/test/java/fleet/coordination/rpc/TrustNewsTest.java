package fleet.coordination.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.EventThread;
import fleet.coordination.HeardByEngine;
import fleet.coordination.PreparedAnswer;
import fleet.coordination.RecordingFollower;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Machines hear with their heartbeats which authorities the cluster has. */
class TrustNewsTest extends StreamTest {

  @Test
  void machinesHearWhenTheAuthoritiesChange() throws Exception {
    var news = new AtomicReference<>(new TrustNews(7, Duration.ofMillis(40)));
    BlockingQueue<TrustNews> heard = new LinkedBlockingQueue<>();
    PlayedLeader leader = opened(new PlayedLeader("s"));
    leader.coordination.tellTrust(news::get);
    leader.lead(1, new HeardByEngine());
    var agents =
        new RpcAgentCoordination(
            () -> List.of(leader.address()),
            StreamConnector.over(channels),
            EventThread::new,
            Duration.ofSeconds(3),
            fatal::add);
    agents.observe(
        new RpcAgentCoordination.Observer() {
          @Override
          public void spoken(Optional<String> problem) {}

          @Override
          public void trusts(long authorities, Duration within) {
            heard.add(new TrustNews(authorities, within));
          }
        });
    opened(agents.join(MACHINE, new RecordingFollower(), _ -> new PreparedAnswer()));

    assertThat(heard.take()).isEqualTo(news.get());
    // All of its 64 bits count.
    var next = new TrustNews(-1, Duration.ZERO);
    news.set(next);
    while (!next.equals(heard.take())) {
      assertThat(fatal).isEmpty();
    }
  }
}
