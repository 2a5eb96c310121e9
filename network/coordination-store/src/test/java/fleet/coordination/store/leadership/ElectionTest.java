package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import fleet.coordination.Leadership.Term;
import fleet.core.testing.Await;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.ClusterRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Elections on a real etcd without faults. */
class ElectionTest extends ContestTest {

  private static final Duration HOURS = Duration.ofHours(3);
  private static final Duration SPREAD = Duration.ofMillis(302);
  private static final Duration LONGEST_RETIREMENT = Duration.ofSeconds(5);

  private long put(String key, String value) {
    Outcome outcome = store.commit(Transaction.when().put(key, value).build());
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
    return outcome.revision();
  }

  private static boolean isWritten(Change change, long revision) {
    return change instanceof Change.Written written && written.entry().modified() == revision;
  }

  private static String leaderJson(String machine, long engineVersion) {
    return new LeaderRecord(machine, "boot of " + machine, "", "2.0.0", engineVersion, false)
        .json();
  }

  @Test
  void theFirstEngineLeadsAtOnceAndItsTokenIsTheRevisionThatCreatedItsKey() throws Exception {
    Contestant one = contestant("one").campaign();
    Term term = one.awaitLead();
    assertThat(term).isEqualTo(new Term(one.leader().created(), false, true));
    LeaderRecord record = LeaderRecord.of(one.leader());
    assertThat(record.machine()).isEqualTo("one");
    assertThat(record.bootId()).isEqualTo("boot of one");
    assertThat(record.address()).startsWith("127.0.0.1:");
    assertThat(record.engineVersion()).isEqualTo(1);
    assertThat(one.leader().lease()).isNotZero();
  }

  @Test
  void aLeaderThatIsReachedElsewhereSaysSoAndLeadsOn() throws Exception {
    Contestant leader = contestant("one").campaign();
    long token = leader.awaitLead().token();
    Contestant standby = contestant("two").campaign();
    long lease = leader.leader().lease();

    leader.move("127.0.0.2");

    Await.until(() -> LeaderRecord.of(leader.leader()).address().startsWith("127.0.0.2:"));
    assertThat(leader.leader().created()).isEqualTo(token);
    assertThat(leader.leader().lease()).isEqualTo(lease);
    leader.assertToldNothing();
    standby.move("127.0.0.3");
    leader.resign();
    var _ = standby.awaitLead();
    assertThat(LeaderRecord.of(standby.leader()).address()).startsWith("127.0.0.3:");
  }

  @Test
  void aLeaderThatHasNoAddressAtFirstSaysItsAddressOnceThereIsOne() throws Exception {
    Contestant leader =
        opened(
            new Contestant(
                Contestant.machine("one", "boot of one", ""), openRegistry("one", etcd.client())));
    var _ = leader.campaign().awaitLead();
    assertThat(LeaderRecord.of(leader.leader()).address()).isEmpty();

    leader.move("127.0.0.1");

    Await.until(() -> LeaderRecord.of(leader.leader()).address().startsWith("127.0.0.1:"));
  }

  @Test
  void oneOfManyLeadsAndEachHandsOverToTheNextInNoTime() throws Exception {
    List<Contestant> all = new ArrayList<>();
    try (CapturedLog seen = new CapturedLog(LeaderSighting.class, Level.INFO)) {
      for (int i = 0; i < 5; i++) {
        all.add(contestant("m" + i).campaign());
      }
      long lastToken = 0;
      while (!all.isEmpty()) {
        Contestant leader = awaitOneLeader(all);
        Term term = leader.awaitLead();
        assertThat(term.token()).isGreaterThan(lastToken);
        assertThat(term.continuous()).isEqualTo(lastToken > 0);
        lastToken = term.token();
        all.forEach(Contestant::assertToldNothing);
        String says = "machine %s leads, token %d".formatted(leader.machine.id(), lastToken);
        // One that has just resigned may have seen it as well.
        Await.until(() -> seen.count(says) >= all.size());
        all.remove(leader);
        long lease = leader.leader().lease();
        leader.resign();
        assertThat(leader.awaitRetirement()).isEqualTo("fleetd stops");
        assertThat(leader.registry.revoked()).as("given back before its end").contains(lease);
      }
    }
    assertThat(store.get("leader")).isEmpty();
  }

  private Contestant awaitOneLeader(List<Contestant> all) throws InterruptedException {
    Await.until(() -> all.stream().anyMatch(Contestant::leads));
    assertThat(all.stream().filter(Contestant::leads)).hasSize(1);
    return all.stream().filter(Contestant::leads).findFirst().orElseThrow();
  }

  @Test
  void aFleetdOfTheSameBootGoesOnWithTheTokenOfItsPredecessor() throws Exception {
    Contestant before = contestant("one").campaign();
    Term term = before.awaitLead();
    long oldLease = before.leader().lease();
    before.die();

    Contestant after = contestant("one").campaign();
    assertThat(after.awaitLead()).isEqualTo(new Term(term.token(), true, true));
    assertThat(after.leader().lease()).isNotEqualTo(oldLease);
    end(oldLease);
    assertThat(after.leader().created()).isEqualTo(term.token());
    after.assertToldNothingIn(Contestant.LEASE);
  }

  @Test
  void anotherBootOfTheSameMachineWaitsForTheLease() throws Exception {
    Contestant before = contestant("one").campaign();
    Term term = before.awaitLead();
    long lease = before.leader().lease();
    before.die();
    Contestant after =
        opened(
            new Contestant(
                Contestant.machine("one", "another boot", "127.0.0.1"),
                openRegistry("another one", etcd.client())));
    after.campaign().awaitFollowing();
    after.assertToldNothingIn(Contestant.LEASE);
    end(lease);
    assertThat(after.awaitLead().token()).isGreaterThan(term.token());
  }

  @Test
  void aSecondFleetdOfTheSameBootDoesNotTakeTheLeadFromOneThatLives() throws Exception {
    Contestant one = contestant("one").campaign();
    one.awaitLead();
    Contestant second = standby("one");
    second.assertToldNothingIn(Contestant.LEASE);
    one.assertToldNothing();
    one.resign();
    second.awaitLead();
  }

  @Test
  void theLeadIsLostWithItsKeyAndRetiringComesFirst() throws Exception {
    Contestant one = contestant("one").campaign();
    Term first = one.awaitLead();
    store.commit(Transaction.when().delete(Keys.LEADER).build());
    assertThat(one.awaitRetirement()).contains("key has gone");
    Term second = one.awaitLead();
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.continuous()).isTrue();
  }

  @Test
  void theLeadIsLostWithItsLease() throws Exception {
    Contestant one = contestant("one").campaign();
    one.awaitLead();
    end(one.leader().lease());
    one.awaitRetirement();
    one.awaitLead();
  }

  @Test
  void anEngineThatCannotLeadGivesTheLeadToAnotherAndTriesAgain() throws Exception {
    Contestant one = contestant("one");
    one.unable(new IllegalStateException("the store holds nonsense"));
    one.campaign();
    one.awaitLead();
    Contestant two = contestant("two").campaign();
    two.awaitLead();
    two.resign();
    one.unable(null);
    one.registry.awaitTold(new Change.Deleted(Keys.LEADER)::equals, 2);
    one.pass(Duration.ofMinutes(1));
    one.awaitLead();
    Await.until(one::leads);
  }

  @Test
  void anEngineThatCannotLeadRestsBeforeItTriesAgain() throws Exception {
    Contestant one = opened(Contestant.standing("one", openRegistry("one", etcd.client())));
    one.unable(new IllegalStateException("the store holds nonsense"));
    one.campaign().awaitLead();
    assertRests(one, 1, Duration.ofSeconds(2));
    assertRests(one, 2, Duration.ofSeconds(4));
  }

  /** It tries again after a time, and a spread. */
  private static void assertRests(Contestant one, int attempts, Duration time)
      throws InterruptedException {
    one.registry.awaitTold(new Change.Deleted(Keys.LEADER)::equals, attempts);
    one.settle();
    one.assertToldNothingIn(time.minusNanos(1));
    one.pass(SPREAD);
    one.awaitLead();
  }

  @Test
  void theFirstEngineOfAClusterNotesItsVersion() throws Exception {
    contestant("one").campaign().awaitLead();
    assertThat(store.get(Keys.CLUSTER).map(ClusterRecord::of))
        .map(ClusterRecord::engineVersion)
        .contains(1L);
  }

  @Test
  void anOlderClusterIsRaisedAndFieldsNotKnownAreKept() throws Exception {
    put(Keys.CLUSTER, "{\"format\":1,\"engineVersion\":0,\"motto\":\"onward\"}");
    contestant("one").campaign().awaitLead();
    assertThat(store.get(Keys.CLUSTER).map(Entry::value).orElseThrow())
        .contains("\"engineVersion\":1")
        .contains("onward");
  }

  @Test
  void anEngineStaysOutOfANewerClusterUntilItIsLoweredAgain() throws Exception {
    put(Keys.CLUSTER, new ClusterRecord(2).json());
    Contestant one = standby("one");
    one.assertToldNothingIn(HOURS);
    assertThat(store.get(Keys.LEADER)).isEmpty();
    put(Keys.CLUSTER, new ClusterRecord(1).json());
    one.awaitLead();
  }

  @Test
  void aLeaderGivesTheLeadBackWhenANewerEngineTakesPart() throws Exception {
    Contestant one = contestant("one").campaign();
    one.awaitLead();
    put(Keys.CLUSTER, new ClusterRecord(2).json());
    assertThat(one.awaitRetirement()).contains("engine version is 2");
    Await.until(() -> store.get(Keys.LEADER).isEmpty());
  }

  @Test
  void anOlderEngineIsDeposed() throws Exception {
    var lease = store.grant(HOURS);
    store.commit(Transaction.when().put(Keys.LEADER, leaderJson("old", 0), lease).build());
    Contestant one = contestant("one").campaign();
    assertThat(one.awaitLead().continuous()).isTrue();
    assertThat(lease.renew()).isFalse();
  }

  @Test
  void anOlderEngineWithoutALeaseIsDeposed() throws Exception {
    put(Keys.LEADER, leaderJson("old", 0));
    contestant("one").campaign().awaitLead();
  }

  @Test
  void aNewerEngineLeadsOn() throws Exception {
    var lease = store.grant(HOURS);
    store.commit(Transaction.when().put(Keys.LEADER, leaderJson("new", 2), lease).build());
    Contestant one = standby("one");
    one.assertToldNothingIn(HOURS);
    lease.revoke();
    one.awaitLead();
  }

  @Test
  void garbageInTheLeadersKeyIsReportedWithWhatToDoAndNobodyLeadsUntilItIsDeleted()
      throws Exception {
    put(Keys.LEADER, "garbage");
    try (CapturedLog errors = new CapturedLog(LeaderSighting.class, Level.WARN)) {
      Contestant one = standby("one");
      one.assertToldNothingIn(HOURS);
      assertThat(errors.messages())
          .singleElement()
          .asString()
          .contains("key leader", "not a JSON object", "delete key leader");
      store.commit(Transaction.when().delete(Keys.LEADER).build());
      one.awaitLead();
    }
  }

  @Test
  void aLeaderMendsItsKeyWhereSomebodyOverwritesIt() throws Exception {
    Contestant one = contestant("one").campaign();
    Contestant two = contestant("two").campaign();
    Term term = one.leads() ? one.awaitLead() : awaitOneLeader(List.of(one, two)).awaitLead();
    Entry before = one.leader();
    put(Keys.LEADER, "garbage");
    Await.until(() -> one.leader().value().equals(before.value()));
    assertThat(one.leader().lease()).isEqualTo(before.lease());
    assertThat(one.leader().created()).isEqualTo(term.token());
    one.assertToldNothing();
    two.assertToldNothing();
  }

  @Test
  void garbageInTheClustersKeyLetsNobodyBeginToLeadButWhoLeadsGoesOn() throws Exception {
    Contestant one = contestant("one").campaign();
    one.awaitLead();
    Contestant two = standby("two");
    try (CapturedLog errors = new CapturedLog(EngineVersionGate.class, Level.WARN)) {
      long garbage = put(Keys.CLUSTER, "garbage");
      for (Contestant each : List.of(one, two)) {
        each.registry.awaitTold(change -> isWritten(change, garbage));
        each.assertToldNothingIn(Contestant.LEASE);
      }
      assertThat(errors.messages()).hasSize(2);
      assertThat(errors.messages().getFirst()).contains("key cluster", "delete key cluster");
    }
    one.resign();
    two.registry.awaitTold(new Change.Deleted(Keys.LEADER)::equals);
    two.assertToldNothingIn(HOURS);
    store.commit(Transaction.when().delete(Keys.CLUSTER).build());
    two.awaitLead();
  }

  @Test
  void aLeaderThatHasNoAddressLeadsWithoutOne() throws Exception {
    Contestant one =
        opened(
            new Contestant(
                Contestant.machine("one", "boot", Contestant.NO_ADDRESS),
                openRegistry("one", etcd.client())));
    one.campaign().awaitLead();
    assertThat(LeaderRecord.of(one.leader()).address()).isEmpty();
  }

  @Test
  void closingWithoutHavingLedIsQuick() {
    Contestant one = contestant("one");
    one.resign();
    assertThatThrownBy(one::campaign).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aWriteInTheNameOfATermIsRefusedOnceAnotherHasBegun() throws Exception {
    Contestant one = contestant("one").campaign();
    Term first = one.awaitLead();
    Contestant two = contestant("two").campaign();
    assertThat(fenced(one, first)).isInstanceOf(Outcome.Committed.class);
    store.commit(Transaction.when().delete(Keys.LEADER).build());
    one.awaitRetirement();
    Contestant next = awaitOneLeader(List.of(one, two));
    Term second = next.awaitLead();
    assertThat(fenced(one, first)).isInstanceOf(Outcome.Refused.class);
    assertThat(fenced(next, second)).isInstanceOf(Outcome.Committed.class);
  }

  private static Outcome fenced(Contestant writer, Term term) {
    return writer.registry.commit(
        Transaction.when()
            .createdAt(Keys.LEADER, term.token())
            .put("placement/web.service", writer.machine.id())
            .build());
  }

  @Test
  void closingWhileTheEngineTakesLongToRetireHandsOverInBoundedTime() throws Exception {
    CompletableFuture<Void> hold = new CompletableFuture<>();
    Contestant one = contestant("one").campaign();
    one.awaitLead();
    one.holdRetirement(hold);
    Contestant two = standby("two");
    CompletableFuture<Void> resigned = one.beginToResign();
    one.skip(LONGEST_RETIREMENT);
    two.awaitLead();
    resigned.join();
    hold.complete(null);
  }
}
