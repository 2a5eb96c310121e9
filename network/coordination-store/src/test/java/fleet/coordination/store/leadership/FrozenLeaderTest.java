package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.core.testing.Await;
import fleet.registry.Entry;
import fleet.registry.Recorder;
import fleet.registry.Watch;
import org.junit.jupiter.api.Test;

/** A leader that is a process of its own, and does not run for longer than its lease lasts. */
class FrozenLeaderTest extends ContestTest {

  @Test
  void aFrozenLeaderIsDeposedByTimeAloneAndChangesNothingWhenItWakesUp() throws Exception {
    LeaderProcess frozen =
        opened(new LeaderProcess("frozen", ETCD.prefix(), etcd.client(), Contestant.SHORT_LEASE));
    long token = frozen.awaitLead();
    Await.until(() -> written().equals("" + token));
    Contestant standby = standby("standby");

    frozen.freeze();
    Term term = standby.awaitLead();
    assertThat(standby.registry.revoked()).as("ended by time alone").isEmpty();
    Recorder recorder = new Recorder();
    try (Watch _ = store.watch("placement/", store.read("placement/"), recorder)) {
      frozen.thaw();
      assertThat(frozen.nextButRefusals()).startsWith("retire ");
      recorder.assertNothingMore();
    }
    assertThat(standby.leader().created()).isEqualTo(term.token());
    standby.assertToldNothingIn(Contestant.LEASE);
    standby.resign();
    assertThat(frozen.awaitLead()).isGreaterThan(term.token());
  }

  private String written() {
    return store.get(LeaderProcess.WRITTEN).map(Entry::value).orElse("");
  }
}
