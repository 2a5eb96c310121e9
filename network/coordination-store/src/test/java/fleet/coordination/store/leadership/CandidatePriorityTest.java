package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Delta.Change;
import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.JoinedRecord;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Engines that machines speak to lead if some have no other way; on a real etcd. */
class CandidatePriorityTest extends ContestTest {

  private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(5);
  private static final Duration SPREAD = Duration.ofMillis(302);

  private void someHaveJoined() {
    Outcome outcome =
        store.commit(
            Transaction.when().put(Keys.JOINED, new JoinedRecord(Instant.EPOCH).json()).build());
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
  }

  private Contestant spokenTo(String id) {
    return opened(Contestant.spokenTo(id, openRegistry(id, etcd.client())));
  }

  private static void awaitNobodyLeads(Contestant contestant) throws InterruptedException {
    contestant.registry.awaitTold(new Change.Deleted(Keys.LEADER)::equals);
    contestant.settle();
  }

  private void awaitTold(Contestant contestant, Contestant leader) throws InterruptedException {
    long token = leader.leader().created();
    contestant.registry.awaitTold(
        change -> change instanceof Change.Written it && it.entry().created() == token);
  }

  @Test
  void oneThatIsSpokenToTakesTheLeadFromOneThatIsNotOnceAMachineJoins() throws Exception {
    Contestant silent = contestant("silent").campaign();
    silent.awaitLead();
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.awaitFollowing();
    spokenTo.assertToldNothingIn(LEFT_TO_OTHERS);

    someHaveJoined();

    silent.awaitRetirement();
    assertThat(spokenTo.awaitLead().continuous()).isTrue();
    // Nobody takes it back.
    awaitTold(silent, spokenTo);
    silent.assertToldNothingIn(LEFT_TO_OTHERS.multipliedBy(2));
    spokenTo.assertToldNothing();
  }

  @Test
  void oneThatIsNotSpokenToLeavesAnEmptySeatToOneThatIs() throws Exception {
    someHaveJoined();
    Contestant silent = standing("silent");
    silent.assertToldNothingIn(LEFT_TO_OTHERS.minusNanos(1));

    Contestant spokenTo = spokenTo("spoken-to").campaign();

    spokenTo.awaitLead();
    awaitTold(silent, spokenTo);
    silent.assertToldNothingIn(LEFT_TO_OTHERS);
  }

  @Test
  void whereNoOtherOneLeadsItDoes() throws Exception {
    someHaveJoined();
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.awaitLead();
    Contestant silent = standing("silent");
    silent.assertToldNothingIn(LEFT_TO_OTHERS);

    spokenTo.resign();

    awaitNobodyLeads(silent);
    silent.assertToldNothingIn(LEFT_TO_OTHERS.minusNanos(1));
    silent.pass(SPREAD);
    silent.awaitLead();
  }

  @Test
  void whereNobodyHasJoinedItNeitherWaitsNorIsDeposed() throws Exception {
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.awaitLead();
    Contestant silent = standing("silent");
    spokenTo.resign();

    awaitNobodyLeads(silent);
    silent.pass(SPREAD);
    silent.awaitLead();
    Contestant another = spokenTo("another").campaign();
    another.awaitFollowing();
    another.assertToldNothingIn(LEFT_TO_OTHERS);
    silent.assertToldNothing();
  }
}
