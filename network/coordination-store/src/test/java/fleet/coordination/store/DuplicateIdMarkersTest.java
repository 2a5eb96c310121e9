package fleet.coordination.store;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.coordination.Leadership.Term;
import fleet.core.machine.Machine;
import fleet.core.testing.Await;
import fleet.registry.Lease;
import fleet.registry.records.Keys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines that come through the store with the id of one that speaks to the leader itself. */
class DuplicateIdMarkersTest extends StoreTest {

  private static final Machine DIRECT = Node.machine("m1", "boot-0", "10.0.0.9");

  private final SteeredLoops loops = SteeredLoops.running();
  private StoreEngineCoordination coordination;

  @BeforeEach
  void lead() {
    LeaderKeys.impostor(engineSide, "");
    long token = engineSide.get(Keys.LEADER).orElseThrow().created();
    coordination = closed(new StoreEngineCoordination(engineSide, loops::start));
    coordination.lead(new Term(token, true), heard);
  }

  @Test
  void aTwinIsRefusedWithTheAddressOfTheFirst() throws Exception {
    Node duplicate = join(MACHINE);
    heard.awaitMachine(MACHINE);

    coordination.occupied(MACHINE, DIRECT);

    // It loses its lease, finds the record of the first, and waits for that to end.
    Await.until(() -> {
      duplicate.skip(Node.TTL);
      return duplicate.fatal.isDone();
    });
    assertThat(duplicate.fatal.join()).contains("m1", "10.0.0.9", "boot-0", "/etc/machine-id");
    assertThat(record(MACHINE).value()).contains("boot-0");
  }

  @Test
  void oneThatHasBootedComesOnceItsFormerSelfIsSilent() throws Exception {
    Node booted = join(MACHINE);
    heard.awaitMachine(MACHINE);
    coordination.occupied(MACHINE, DIRECT);
    heard.awaitMachine(DIRECT);

    coordination.vacant("m1");

    heard.awaitMachine(MACHINE);
    booted.awaitAcknowledgements(2);
    assertThat(booted.fatal).isNotDone();
  }

  @Test
  void oneThatTurnsToTheStoreItselfIsThereOnALeaseOfItsOwn() throws Exception {
    join(MACHINE);
    heard.awaitMachine(MACHINE);
    coordination.occupied(MACHINE, DIRECT);
    heard.awaitMachine(DIRECT);
    Lease leaders = engineSide.lease(record(MACHINE).lease(), Node.TTL);
    Node turned = join(DIRECT);
    turned.awaitAcknowledgements(2);

    long created = record(MACHINE).created();

    coordination.vacant("m1");

    Await.until(() -> !leaders.renew());
    assertThat(record(MACHINE).created()).as("written again").isEqualTo(created);
    assertThat(record(MACHINE).value()).contains("boot-0");
  }

  @Test
  void aDeposedLeaderRefusesNobody() throws Exception {
    join(MACHINE);
    heard.awaitMachine(MACHINE);
    coordination.lead(new Term(1, true), heard);

    coordination.occupied(MACHINE, DIRECT);

    loops.settle();
    assertThat(record(MACHINE).value()).contains("boot-1");
  }
}
