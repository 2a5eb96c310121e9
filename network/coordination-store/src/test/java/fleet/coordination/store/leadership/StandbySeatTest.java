package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.StandbyRecord;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The warm standby, on a real etcd. */
class StandbySeatTest extends ContestTest {

  private static final Duration WARM_FIRST_AND_SPREAD = Duration.ofMillis(1_302);

  private void offer() {
    Outcome offered =
        store.commit(Transaction.when().put(Keys.STANDBY, StandbyRecord.FREE.json()).build());
    assertThat(offered).isInstanceOf(Outcome.Committed.class);
  }

  private Entry seat() {
    return store.get(Keys.STANDBY).orElseThrow();
  }

  private String holder() {
    return StandbyRecord.of(seat()).machine();
  }

  /** The one of them that has the seat. */
  private Contestant awaitHolder(List<Contestant> standbys) throws InterruptedException {
    Await.until(() -> {
      standbys.forEach(one -> one.skip(Duration.ofMillis(100)));
      return !holder().isEmpty();
    });
    return standbys.stream()
        .filter(one -> one.machine.id().equals(holder()))
        .findFirst()
        .orElseThrow();
  }

  private List<Contestant> standbys() {
    return Stream.of("a", "b", "c", "d").map(id -> contestant(id).campaign()).toList();
  }

  @Test
  void oneTakesTheSeatOnALeaseAndItIsThatWhichLeadsNext() throws Exception {
    Contestant leader = contestant("leader").campaign();
    var _ = leader.awaitLead();
    List<Contestant> standbys = standbys();
    offer();

    Contestant warm = awaitHolder(standbys);
    assertThat(warm.awaitKeepReady()).isTrue();
    assertThat(seat().lease()).isNotZero();
    standbys.stream().filter(one -> one != warm).forEach(Contestant::assertToldNothing);

    leader.resign();
    assertThat(warm.awaitLead().continuous()).isTrue();
    standbys.stream().filter(one -> one != warm).forEach(Contestant::assertToldNothing);
  }

  @Test
  void whoeverHasItKeepsItPastItsLeaseAndTheNextTakesItWhereItGoes() throws Exception {
    var _ = contestant("leader").campaign().awaitLead();
    List<Contestant> standbys = standbys();
    offer();
    Contestant first = awaitHolder(standbys);
    assertThat(first.awaitKeepReady()).isTrue();
    long since = seat().modified();
    first.awaitRenewal();
    first.settle();
    first.assertToldNothing();
    assertThat(seat().modified()).isEqualTo(since);

    first.resign();
    assertThat(first.awaitKeepReady()).isFalse();
    Await.until(() -> store.get(Keys.STANDBY).isEmpty());
    offer();
    List<Contestant> left = standbys.stream().filter(one -> one != first).toList();
    assertThat(awaitHolder(left).awaitKeepReady()).isTrue();
  }

  @Test
  void itEndsWithTheOfferAndWithItsLease() throws Exception {
    var _ = contestant("leader").campaign().awaitLead();
    Contestant standby = contestant("a").campaign();
    offer();
    assertThat(standby.awaitKeepReady()).isTrue();
    var _ = store.commit(Transaction.when().delete(Keys.STANDBY).build());
    assertThat(standby.awaitKeepReady()).isFalse();

    offer();
    assertThat(standby.awaitKeepReady()).isTrue();
    end(seat().lease());
    assertThat(standby.awaitKeepReady()).isFalse();
    assertThat(store.get(Keys.STANDBY)).isEmpty();
  }

  @Test
  void aWarmOneThatIsGoneHoldsNobodyUp() throws Exception {
    Contestant leader = contestant("leader").campaign();
    var _ = leader.awaitLead();
    Contestant warm = contestant("warm").campaign();
    offer();
    assertThat(warm.awaitKeepReady()).isTrue();
    Contestant cold = standing("cold");
    warm.die();
    leader.resign();
    cold.registry.awaitTold(new Change.Deleted(Keys.LEADER)::equals);
    cold.settle();
    cold.pass(WARM_FIRST_AND_SPREAD);
    assertThat(cold.awaitLead().token()).isPositive();
  }

  @Test
  void whatCannotBeReadIsNobodysSeat() throws Exception {
    var _ = contestant("leader").campaign().awaitLead();
    Contestant standby = contestant("a").campaign();
    var _ = store.commit(Transaction.when().put(Keys.STANDBY, "garbage").build());
    standby.registry.awaitTold(change -> change.key().equals(Keys.STANDBY));
    standby.assertToldNothingIn(Duration.ofMinutes(1));
    offer();
    assertThat(standby.awaitKeepReady()).isTrue();
  }
}
