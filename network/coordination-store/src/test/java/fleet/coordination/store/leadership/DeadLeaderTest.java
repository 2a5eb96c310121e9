package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import fleet.coordination.Leadership.Term;
import fleet.core.testing.Await;
import fleet.registry.Delta;
import fleet.registry.Recorder;
import fleet.registry.Watch;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Leaders that are processes of their own, and killed. */
class DeadLeaderTest extends ContestTest {

  private LeaderProcess start(String machine) throws IOException {
    return start(machine, Contestant.LEASE);
  }

  private LeaderProcess start(String machine, Duration lease) throws IOException {
    return opened(new LeaderProcess(machine, ETCD.prefix(), etcd.client(), lease));
  }

  @Test
  void aKilledLeaderIsReplacedLongBeforeItsLeaseEnds() throws Exception {
    LeaderProcess leader = start("doomed");
    long token = leader.awaitLead();
    try (CapturedLog lines = new CapturedLog(LeaderProbe.class, Level.DEBUG)) {
      Contestant standby = standby("standby");
      long lease = standby.leader().lease();
      awaitLines(lines, LeaderRecord.of(standby.leader()).address(), 1);
      leader.kill();
      Term term = standby.awaitLead();
      assertThat(standby.registry.revoked()).as("ended while it lived").contains(lease);
      assertThat(term.token()).isGreaterThan(token);
      assertThat(term.continuous()).isTrue();
    }
  }

  @Test
  void aKilledLeaderThatIsBackBeforeAnybodyNoticesKeepsItsToken() throws Exception {
    Duration longer = Duration.ofMinutes(1);
    LeaderProcess leader = start("doomed", longer);
    long token = leader.awaitLead();
    leader.kill();
    assertThat(start("doomed", longer).awaitLead()).isEqualTo(token);
  }

  /** A write under way when the term ends arrives late. */
  @Test
  void noWriteOfATermIsFoundAfterTheNextHasBegun() throws Exception {
    LeaderProcess leader = start("busy");
    leader.awaitLead();
    Contestant standby = standby("standby");
    Recorder recorder = new Recorder();
    try (Watch _ = store.watch("", store.read(""), recorder)) {
      end(standby.leader().lease());
      Await.until(() -> leaderIs("standby") || leaderIs("busy"));
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
}
