package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.AbsentMachines.Departed;
import fleet.core.machine.Machine;
import fleet.registry.Transaction;
import fleet.registry.records.DepartureRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.LeaderRecord;
import fleet.registry.records.MachineRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines that are lost or have left stay listed, whoever leads. */
class DepartedMachinesTest {

  private static final EngineSettings SETTINGS =
      EngineSettings.of(Duration.ofHours(1))
          .with(changed -> changed.isolationMargin = Duration.ofMillis(1));

  @TempDir Path directory;
  private LedCluster fleet;

  @BeforeEach
  void threeMachinesWithoutUnits() throws Exception {
    fleet = new LedCluster(directory, SETTINGS);
    put(Keys.LEADER, new LeaderRecord("m3", "boot", "", "test", 1, false).json());
    for (String id : List.of("m1", "m2", "m3")) {
      fleet.stored(id);
    }
    awaitDeparted();
  }

  @AfterEach
  void close() {
    fleet.close();
  }

  private void put(String key, String value) {
    var _ = fleet.registry.commit(Transaction.when().put(key, value).build());
  }

  private List<Departed> awaitDeparted(String... ids) throws Exception {
    return fleet
        .awaitAbsences(absences ->
            absences.departed().stream().map(Departed::id).toList().equals(List.of(ids)))
        .departed();
  }

  private void leaves(String id) {
    String key = Keys.machine(id);
    MachineRecord record = MachineRecord.of(fleet.registry.get(key).orElseThrow());
    put(key, record.asLeaving().json());
    fleet.silent(id);
  }

  @Test
  void aLostMachineStaysListedWithWhatWasKnownOfIt() throws Exception {
    Instant before = Instant.now();
    fleet.silent("m1");
    Departed lost = awaitDeparted("m1").getFirst();
    assertThat(lost.left()).isFalse();
    assertThat(lost.machine().publicIp()).isEqualTo("10.0.0.1");
    assertThat(lost.machine().version()).isEqualTo("test");
    assertThat(lost.since()).isBetween(before, Instant.now());
    assertThat(fleet.cluster().absences().machines()).isEmpty();
  }

  @Test
  void soDoesOneThatHasLeft() throws Exception {
    leaves("m2");
    assertThat(awaitDeparted("m2").getFirst().left()).isTrue();
  }

  @Test
  void theNextLeaderGoesOnToListIt() throws Exception {
    fleet.silent("m1");
    List<Departed> before = awaitDeparted("m1");
    fleet.anotherLeads(SETTINGS);
    assertThat(awaitDeparted("m1")).isEqualTo(before);
  }

  @Test
  void aMachineThatIsBackIsNotListedAmongThemAndItsRecordGoes() throws Exception {
    fleet.silent("m1");
    var _ = awaitDeparted("m1");
    fleet.stored("m1");
    awaitDeparted();
    awaitNoRecordOf("m1");
    fleet.silent("m1");
    awaitDeparted("m1");
  }

  private void awaitNoRecordOf(String id) throws Exception {
    var _ =
        fleet.store.await("no record of " + id, entries -> !entries.containsKey(Keys.departed(id)));
  }

  @Test
  void theNextLeaderListsTheMachineOfTheOneBeforeAsItWasKnown() throws Exception {
    awaitRecordOfTheLeader();
    fleet.leaderDies();
    fleet.silent("m3");
    fleet.anotherLeads(SETTINGS);
    Departed lost = awaitDeparted("m3").getFirst();
    assertThat(lost.left()).isFalse();
    assertThat(lost.machine().publicIp()).isEqualTo("10.0.0.1");
  }

  private void awaitRecordOfTheLeader() throws Exception {
    var _ =
        fleet.store.await(
            "a record of the leader", entries -> entries.containsKey(Keys.departed("m3")));
  }

  @Test
  void aLeadersMachineThatWasLostBeforeIsRecordedAsThatOfTheLeaderAgain() throws Exception {
    awaitRecordOfTheLeader();
    fleet.silent("m3");
    var _ = awaitDeparted("m3");
    fleet.stored("m3");
    var _ =
        fleet.store.await(
            "a record of the leader",
            entries ->
                Optional.ofNullable(entries.get(Keys.departed("m3")))
                    .map(DepartureRecord::of)
                    .filter(DepartureRecord::leads)
                    .isPresent());
    awaitDeparted();
  }

  @Test
  void theRecordOfALeadersMachineGoesWhenAnotherLeads() throws Exception {
    awaitRecordOfTheLeader();
    fleet.anotherLeads(SETTINGS);
    awaitNoRecordOf("m3");
  }

  @Test
  void aLeadersMachineThatLeavesIsRecordedBeforeItsLeadEnds() throws Exception {
    awaitRecordOfTheLeader();
    leaves("m3");
    fleet.cluster().awaitDeparture("m3", Duration.ofHours(1));
    assertThat(DepartureRecord.of(fleet.registry.get(Keys.departed("m3")).orElseThrow()).left())
        .isTrue();
  }

  @Test
  void aRecordThatNobodyCanReadIsLeftAlone() throws Exception {
    put(Keys.departed("m1"), "nonsense");
    fleet.silent("m1", "m2");
    awaitDeparted("m2");
    assertThat(fleet.registry.get(Keys.departed("m1")).orElseThrow().value()).isEqualTo("nonsense");
  }

  /** That of the leader is one of them. */
  @Test
  void thereAreNoMoreRecordsThanTenThousand() throws Exception {
    Instant now = Instant.now();
    int many = 10_003;
    for (int begin = 0; begin < many; begin += 1000) {
      var transaction = Transaction.when();
      for (int i = begin; i < Math.min(begin + 1000, many); i++) {
        String id = "x" + i;
        transaction.put(
            Keys.departed(id),
            DepartureRecord.unknown(id, false, now.minusSeconds(many - i)).json());
      }
      var _ = fleet.registry.commit(transaction.build());
    }
    awaitRecordOfTheLeader();
    fleet.silent("m1");
    var _ = fleet.awaitAbsences(absences -> absences.departed().size() == 9_999);
    assertThat(fleet.registry.get(Keys.departed("x0"))).isEmpty();
    assertThat(fleet.registry.get(Keys.departed("x10002"))).isPresent();
  }

  @Test
  void aMachineThatIsAdmittedOnceMoreIsListedWhenItIsLost() throws Exception {
    assertThat(fleet.cluster().forget("m2", true, LedCluster.CALLER)).isFalse();
    fleet.silent("m2");
    fleet.stored("m2");
    awaitNoRecordOf("m2");
    fleet.silent("m2");
    awaitDeparted("m2");
  }

  @Test
  void itsTimeEndsAsTheSettingSays() throws Exception {
    fleet.silent("m1");
    var _ = awaitDeparted("m1");
    assertThat(set("forever")).isEmpty();
    assertThat(set("soon")).contains("expected a duration such as 12h or 7d");
    assertThat(set("999999999d")).contains("at most 3650d");
    assertThat(set("200ms")).isEmpty();
    awaitDeparted();
    assertThat(set("0")).isEmpty();
    fleet.silent("m2");
    leaves("m3");
    var _ =
        fleet.store.await(
            "no record",
            entries -> entries.keySet().stream().noneMatch(key -> key.startsWith(Keys.DEPARTED)));
  }

  private String set(String value) {
    return fleet.cluster().set("machines.lost.keep", value, LedCluster.CALLER).orElse("");
  }

  @Test
  void aMachineThatSomebodyRemovesIsNotListedWhenItGoes() throws Exception {
    fleet.silent("m1");
    var _ = awaitDeparted("m1");
    assertThat(fleet.cluster().forget("m1", false, LedCluster.CALLER)).isTrue();
    assertThat(fleet.cluster().forget("m1", false, LedCluster.CALLER)).isFalse();
    assertThat(fleet.cluster().forget("m2", true, LedCluster.CALLER)).isFalse();
    assertThat(fleet.cluster().forget("m9", false, LedCluster.CALLER)).isFalse();
    fleet.silent("m2");
    fleet.silent("m3");
    awaitDeparted("m3");
    assertThat(fleet.registry.get(Keys.departed("m9"))).isEmpty();
    assertThat(DepartureRecord.of(fleet.registry.get(Keys.departed("m2")).orElseThrow()).removed())
        .isTrue();
  }

  @Test
  void noTimeInARecordEndsTheLeader() throws Exception {
    for (String since : List.of("+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z")) {
      String value =
          new DepartureRecord(new Machine("m9", "", "", Map.of(), ""), false, Instant.EPOCH)
              .json()
              .replace("1970-01-01T00:00:00Z", since);
      put(Keys.departed("m9"), value);
      fleet.silent("m1");
      var _ =
          fleet.awaitAbsences(
              absences -> absences.departed().stream().anyMatch(one -> one.id().equals("m1")));
      fleet.stored("m1");
    }
  }

  @Test
  void nothingIsWrittenAtRest() throws Exception {
    fleet.silent("m1");
    var _ = awaitDeparted("m1");
    fleet.stored("m4");
    AbsentMachines now = fleet.cluster().absences();
    long written = fleet.registry.get(Keys.departed("m1")).orElseThrow().modified();
    fleet.silent("m2");
    var _ = awaitDeparted("m1", "m2");
    assertThat(fleet.registry.get(Keys.departed("m1")).orElseThrow().modified()).isEqualTo(written);
    assertThat(now.departed()).isEqualTo(fleet.cluster().absences().departed().subList(0, 1));
  }
}
