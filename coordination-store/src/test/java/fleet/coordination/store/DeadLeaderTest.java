package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.registry.Delta;
import fleet.registry.Entry;
import fleet.registry.Recorder;
import fleet.registry.Watch;
import fleet.registry.records.Keys;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Leaders that are processes of their own, killed and frozen. */
class DeadLeaderTest extends ContestTest {

  private Contestant standby(String id) throws InterruptedException {
    Contestant standby = contestant(id).campaign();
    // Long enough for a line to the leader.
    standby.assertToldNothingFor(Duration.ofMillis(500));
    return standby;
  }

  @Test
  void aKilledLeaderIsReplacedLongBeforeItsLeaseEnds() throws Exception {
    LeaderProcess leader = opened(new LeaderProcess("doomed", etcd.client()));
    long token = leader.awaitLead();
    Contestant standby = standby("standby");
    long began = System.nanoTime();
    leader.kill();
    Term term = standby.awaitLead();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(BEFORE_THE_LEASE_ENDS);
    assertThat(term.token()).isGreaterThan(token);
    assertThat(term.continuous()).isTrue();
  }

  @Test
  void aKilledLeaderThatIsBackBeforeAnybodyNoticesKeepsItsToken() throws Exception {
    LeaderProcess leader = opened(new LeaderProcess("doomed", etcd.client()));
    long token = leader.awaitLead();
    leader.kill();
    assertThat(opened(new LeaderProcess("doomed", etcd.client())).awaitLead()).isEqualTo(token);
  }

  @Test
  void aFrozenLeaderIsDeposedByTimeAloneAndChangesNothingWhenItWakesUp() throws Exception {
    LeaderProcess frozen = opened(new LeaderProcess("frozen", etcd.client()));
    long token = frozen.awaitLead();
    Awaiting.until(Duration.ofSeconds(10), () -> written().equals("" + token));
    Contestant standby = standby("standby");

    frozen.freeze();
    standby.assertToldNothingFor(Duration.ofMillis(2_500));
    Term term = standby.awaitLead();
    Recorder recorder = new Recorder();
    try (Watch _ = store.watch("placement/", store.read("placement/"), recorder)) {
      frozen.thaw();
      assertThat(frozen.nextButRefusals()).startsWith("retire ");
      recorder.assertNothingMore();
    }
    assertThat(standby.leader().created()).isEqualTo(term.token());
    standby.assertToldNothingFor(Duration.ofSeconds(1));
    standby.resign();
    assertThat(frozen.awaitLead()).isGreaterThan(term.token());
  }

  /** What is under way when the term ends arrives late. */
  @Test
  void noWriteOfATermIsFoundAfterTheNextHasBegun() throws Exception {
    LeaderProcess leader = opened(new LeaderProcess("busy", etcd.client()));
    leader.awaitLead();
    Contestant standby = standby("standby");
    Recorder recorder = new Recorder();
    try (Watch _ = store.watch("", store.read(""), recorder)) {
      store.lease(standby.leader().lease(), Contestant.LEASE).revoke();
      Awaiting.until(Duration.ofSeconds(10), () -> leaderIs("standby") || leaderIs("busy"));
      long token = standby.leader().created();
      long deleted = 0;
      for (Delta delta : recorder.until(token)) {
        for (Delta.Change change : delta.changes()) {
          if (change.equals(new Delta.Change.Deleted(Keys.LEADER))) {
            deleted = delta.revision();
          } else if (change.key().equals(LeaderProcess.WRITTEN)) {
            assertThat(deleted).as("the revision of the deletion, before %s", delta).isZero();
          }
        }
      }
      assertThat(deleted).isPositive();
    }
  }

  private boolean leaderIs(String machine) {
    return store.get(Keys.LEADER).filter(leader -> leader.value().contains(machine)).isPresent();
  }

  private String written() {
    return store.get(LeaderProcess.WRITTEN).map(Entry::value).orElse("");
  }
}
