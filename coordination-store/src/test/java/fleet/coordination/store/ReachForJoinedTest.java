package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.registry.Outcome;
import fleet.registry.Transaction;
import fleet.registry.records.JoinedRecord;
import fleet.registry.records.Keys;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Engines that machines speak to lead where some have no other way; on a real etcd. */
class ReachForJoinedTest extends ContestTest {

  private void someHaveJoined() {
    Outcome outcome =
        store.commit(
            Transaction.when().put(Keys.JOINED, new JoinedRecord(Instant.EPOCH).json()).build());
    assertThat(outcome).isInstanceOf(Outcome.Committed.class);
  }

  private Contestant spokenTo(String id) {
    return opened(Contestant.spokenTo(id, etcd.client()));
  }

  @Test
  void oneThatIsSpokenToTakesTheLeadFromOneThatIsNotOnceAMachineJoins() throws Exception {
    Contestant silent = contestant("silent").campaign();
    silent.awaitLead();
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.assertToldNothingFor(Duration.ofSeconds(1));

    someHaveJoined();

    silent.awaitRetirement();
    assertThat(spokenTo.awaitLead().continuous()).isTrue();
    // Nobody takes it back.
    silent.assertToldNothingFor(Duration.ofSeconds(7));
    spokenTo.assertToldNothing();
  }

  @Test
  void oneThatIsNotSpokenToLeavesAnEmptySeatToOneThatIs() throws Exception {
    someHaveJoined();
    Contestant silent = contestant("silent").campaign();
    silent.assertToldNothingFor(Duration.ofSeconds(1));

    Contestant spokenTo = spokenTo("spoken-to").campaign();

    spokenTo.awaitLead();
    silent.assertToldNothing();
  }

  @Test
  void whereNoOtherOneLeadsItDoes() throws Exception {
    someHaveJoined();
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.awaitLead();
    Contestant silent = contestant("silent").campaign();
    silent.assertToldNothingFor(Duration.ofSeconds(1));

    spokenTo.resign();

    silent.awaitLead();
  }

  @Test
  void whereNobodyHasJoinedItNeitherWaitsNorIsDeposed() throws Exception {
    Contestant spokenTo = spokenTo("spoken-to").campaign();
    spokenTo.awaitLead();
    Contestant silent = contestant("silent").campaign();
    spokenTo.resign();

    silent.awaitLead(Duration.ofSeconds(3));
    spokenTo("another").campaign().assertToldNothingFor(Duration.ofSeconds(3));
    silent.assertToldNothing();
  }
}
