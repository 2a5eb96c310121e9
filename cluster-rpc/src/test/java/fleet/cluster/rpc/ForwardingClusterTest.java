package fleet.cluster.rpc;

import static fleet.cluster.rpc.PlayedCluster.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventsFrom;
import fleet.cluster.NotLeadingException;
import fleet.cluster.StartResult;
import fleet.cluster.UncertainLeadException;
import fleet.core.question.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ForwardingClusterTest {

  private final PlayedCluster own = new PlayedCluster("own");
  private final PlayedCluster leader = new PlayedCluster("leader");
  private final Cluster cluster = new ForwardingCluster(own, () -> leader);

  @Test
  void whatIsReadIsReadOfTheLeader() {
    leader.units.put(ClusterContract.WEB, view("web.service", ClusterContract.SLEEP));
    assertThat(cluster.units()).isEmpty();
    own.before =
        () -> {
          throw new NotLeadingException("another leads");
        };
    assertThat(cluster.units()).hasSize(1);
    assertThat(cluster.unit(ClusterContract.WEB)).isPresent();
    assertThat(cluster.states().reported()).isEmpty();
    assertThat(cluster.machines()).isEmpty();
    assertThat(cluster.absences().machines()).isEmpty();
    assertThat(cluster.startAgain(ClusterContract.WEB, ClusterContract.ROOT))
        .isEqualTo(StartResult.RUNNING);
    leader.answers = (_, _) -> Optional.of(PlayedAnswer.of("x", 0));
    assertThat(cluster.ask("m1", new Question.Status(ClusterContract.WEB, false))).isPresent();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(events.start().epoch()).isEqualTo("leader");
    }
    assertThat(leader.commands).containsExactly("start web.service by user root");
  }

  @Test
  void whereTheLeaderIsNotSpokenToTheRegistryIsRead() {
    var registry = new PlayedCluster("registry");
    var elsewhere = new AtomicReference<Cluster>(leader);
    var forwarding = new ForwardingCluster(own, elsewhere::get);
    own.before =
        () -> {
          throw new NotLeadingException("another leads");
        };
    registry.units.put(ClusterContract.WEB, view("web.service", ClusterContract.SLEEP));
    leader.before =
        () -> {
          throw new ClusterUnavailableException("nobody answers");
        };

    assertThatThrownBy(forwarding::units).hasMessage("nobody answers");
    elsewhere.set(registry);
    assertThat(forwarding.units()).hasSize(1);

    // The leader goes while it is asked, and the next one is not spoken to.
    elsewhere.set(leader);
    leader.before =
        () -> {
          elsewhere.set(registry);
          throw new ClusterUnavailableException("nobody answers");
        };
    assertThat(forwarding.units()).hasSize(1);
  }

  @Test
  void aLeaderThatIsNotCertainIsAskedAgainAndRefusesInTheEnd() {
    var attempts = new AtomicInteger();
    own.before =
        () -> {
          attempts.incrementAndGet();
          throw new UncertainLeadException("etcd is not reached");
        };
    var forwarding = new ForwardingCluster(own, () -> leader, Duration.ofMillis(50));
    assertThatThrownBy(forwarding::units)
        .isInstanceOf(ClusterUnavailableException.class)
        .hasMessage("etcd is not reached");
    assertThat(attempts).hasValueGreaterThan(1);

    // It is told that another leads.
    own.before =
        () -> {
          own.before =
              () -> {
                throw new NotLeadingException("another leads");
              };
          throw new UncertainLeadException("etcd is not reached");
        };
    leader.units.put(ClusterContract.WEB, view("web.service", ClusterContract.SLEEP));
    assertThat(forwarding.units()).hasSize(1);
  }

  @Test
  void bothAreAskedForWhatMayBeOld() {
    Instant since = Instant.parse("2026-01-01T00:00:00Z");
    List<Instant> told = new ArrayList<>();
    own.stale(since);
    assertThat(cluster.evenIfStale(told::add).units()).isEmpty();
    assertThat(told).containsExactly(since);

    var follower = new PlayedCluster("follower");
    follower.before =
        () -> {
          throw new NotLeadingException("another leads");
        };
    leader.stale(since);
    assertThat(new ForwardingCluster(follower, () -> leader).evenIfStale(told::add).units())
        .isEmpty();
    assertThat(told).containsExactly(since, since);
  }

  @Test
  void whatIsWrittenIsWrittenHereWhoeverLeads() {
    assertThat(cluster.destroy(ClusterContract.WEB, ClusterContract.ROOT)).isFalse();
    assertThat(cluster.restart(ClusterContract.WEB, ClusterContract.ROOT))
        .isEqualTo(StartResult.UNKNOWN);
    cluster.changeMetadata(List.of(), ClusterContract.ROOT);
    assertThat(cluster.resume(ClusterContract.ROOT)).isFalse();
    assertThat(own.commands).hasSize(4);
    assertThat(leader.commands).isEmpty();
  }
}
