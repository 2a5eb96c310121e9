package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Caller;
import fleet.cluster.MetadataChange;
import fleet.cluster.PlacementReasons;
import fleet.cluster.UnitView;
import fleet.coordination.Leadership.Term;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Requirements of units, on several machines that come and go. */
class SeveralMachinesTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("test");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName DB = UnitName.of("db.service");

  @Test
  void theLeastLoadedMachineGetsTheNextUnitAndNothingMovesForANewMachine() throws Exception {
    machine("m1");
    machine("m2");
    launch("a.service", "");
    launch("b.service", "");
    launch("c.service", "");
    assertThat(placeOf("a.service")).isEqualTo("m1");
    assertThat(placeOf("b.service")).isEqualTo("m2");
    assertThat(placeOf("c.service")).isEqualTo("m1");
    machine("m3");
    launch("d.service", "");
    launch("e.service", "");
    assertThat(placeOf("d.service")).isEqualTo("m3");
    assertThat(placeOf("e.service")).isEqualTo("m2");
    assertThat(placeOf("c.service")).isEqualTo("m1");
  }

  @Test
  void aUnitGoesWithItsPeerWhenTheMachineIsLost() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(DB.value(), "");
    launch(WEB.value(), "MachineOf=db.service");
    m1.awaitTarget(DB, TargetState.LAUNCHED);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    StoredMachine m2 = machine("m2");
    machine("m3");
    m1.silent();
    m2.awaitTarget(DB, TargetState.LAUNCHED);
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aFollowerLeavesWhenItsPeerDoesAndComesToWhereItIsThen() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("disk", "ssd"));
    StoredMachine m2 = machine("m2", Map.of("disk", "hdd"));
    launch(DB.value(), "MachineMetadata=disk=ssd");
    launch(WEB.value(), "MachineOf=db.service");
    m1.awaitTarget(DB, TargetState.LAUNCHED);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    cluster.changeMetadata(
        List.of(
            new MetadataChange.Set("m1", "disk", "hdd"),
            new MetadataChange.Set("m2", "disk", "ssd")),
        CALLER);
    m1.gone(m1.awaitTarget(DB, TargetState.STOPPING));
    Entry follower = m1.awaitTarget(WEB, TargetState.STOPPING);
    m2.awaitTarget(DB, TargetState.LAUNCHED);
    assertThat(registry.get(Keys.schedule("m2", WEB))).isEmpty();
    m1.gone(follower);
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aFollowerWaitsForItsPeerAndIsPlacedWhenThatIs() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB.value(), "MachineOf=db.service");
    awaitView(WEB, view -> view.waiting().contains("without db.service"));
    launch(DB.value(), "");
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void aFollowerOfAGlobalUnitGoesWhereThatApplies() throws Exception {
    machine("m1");
    StoredMachine m2 = machine("m2", Map.of("log", "yes"));
    launch(WEB.value(), "MachineOf=log.service");
    awaitView(WEB, view -> view.waiting().contains("without log.service"));
    launch("log.service", "Global=true\nMachineMetadata=log=yes");
    Entry entry = m2.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(entry.key()).isEqualTo(Keys.schedule("m2", WEB));
    cluster.destroy(UnitName.of("log.service"), CALLER);
    m2.awaitTarget(WEB, TargetState.STOPPING);
  }

  @Test
  void instancesThatConflictTakeAMachineEachAndTheLastWaitsForOne() throws Exception {
    StoredMachine m1 = machine("m1");
    machine("m2");
    launch("web@1.service", "Conflicts=web@*.service");
    launch("web@2.service", "Conflicts=web@*.service");
    launch("web@3.service", "Conflicts=web@*.service");
    assertThat(placeOf("web@1.service")).isEqualTo("m1");
    assertThat(placeOf("web@2.service")).isEqualTo("m2");
    UnitName third = UnitName.of("web@3.service");
    awaitView(third, view -> view.waiting().contains("conflict with web@1.service"));
    cluster.destroy(UnitName.of("web@1.service"), CALLER);
    Entry stopping = m1.awaitTarget(UnitName.of("web@1.service"), TargetState.STOPPING);
    assertThat(cluster.unit(third).orElseThrow().machine()).isEmpty();
    m1.gone(stopping);
    m1.awaitTarget(third, TargetState.LAUNCHED);
  }

  @Test
  void aConflictCountsAlsoWhereOnlyTheOtherOneNamesIt() throws Exception {
    machine("m1");
    machine("m2");
    launch(DB.value(), "Conflicts=web.*");
    launch("filler.service", "");
    launch("filler2.service", "MachineID=m2");
    assertThat(placeOf(DB.value())).isEqualTo("m1");
    launch(WEB.value(), "");
    assertThat(placeOf(WEB.value())).isEqualTo("m2");
  }

  @Test
  void aGlobalUnitThatConflictsHasPlacedUnitsStay() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(WEB.value(), "");
    Entry entry = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    launch("log.service", "Global=true\nConflicts=web.service db.service");
    machine("m2");
    // Kept away from m1 by web, from m2 by the global unit that runs there.
    launch(DB.value(), "Conflicts=web.service");
    awaitView(DB, view -> view.waiting().contains("log.service"));
    assertThat(registry.get(Keys.schedule("m1", WEB))).contains(entry);
  }

  @Test
  void theReplacedUnitMovesAndTheReplacementStays() throws Exception {
    StoredMachine m1 = machine("m1");
    launch("old.service", "");
    UnitName old = UnitName.of("old.service");
    UnitName fresh = UnitName.of("new.service");
    m1.awaitTarget(old, TargetState.LAUNCHED);
    launch(fresh.value(), "Replaces=old.*");
    m1.awaitTarget(fresh, TargetState.LAUNCHED);
    m1.gone(m1.awaitTarget(old, TargetState.STOPPING));
    awaitView(old, view -> view.waiting().contains("has its replacement new.service"));
    machine("m2").awaitTarget(old, TargetState.LAUNCHED);
    assertThat(placeOf("new.service")).isEqualTo("m1");
  }

  @Test
  void newMetadataMovesWhatFitsNoLonger() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    launch(WEB.value(), "MachineMetadata=region=eu");
    launch(DB.value(), "MachineID=m1");
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    Entry other = m1.awaitTarget(DB, TargetState.LAUNCHED);
    StoredMachine m2 = machine("m2", Map.of("region", "eu"));
    machine("m1", Map.of("region", "us"));
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(registry.get(other.key())).contains(other);
  }

  @Test
  void aRefusedUnitIsPlacedOnTheNextMachineAndAGlobalOneSaysSo() throws Exception {
    StoredMachine m1 = machine("m1");
    StoredMachine m2 = machine("m2");
    launch(WEB.value(), "");
    m1.refused(m1.awaitTarget(WEB, TargetState.LAUNCHED), "systemd knows it from /etc/x");
    m2.awaitTarget(WEB, TargetState.LAUNCHED);
    UnitName log = UnitName.of("log.service");
    launch(log.value(), "Global=true");
    Entry global =
        store
            .await("global", entries -> entries.containsKey(Keys.global(log)))
            .get(Keys.global(log));
    m2.refused(Objects.requireNonNull(global), "systemd knows it from /etc/y");
    assertThat(awaitView(log, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("machine m2 refuses it: systemd knows it from /etc/y");
    m2.withdraw(log);
    awaitView(log, view -> view.waiting().isEmpty());
  }

  @Test
  void whatAMachineLacksRoomForWaitsUntilAnotherHasLeft() throws Exception {
    StoredMachine m1 =
        new StoredMachine(store, registry, "m1")
            .present(Map.of(), Isolation.KEEP, new Resources(4000, 1L << 30, 0));
    launch(DB.value(), "Memory=700M");
    assertThat(placeOf(DB.value())).isEqualTo("m1");
    launch(WEB.value(), "Memory=400M");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("the only machine has no room for 400M of memory");
    launch("small.service", "Memory=300M");
    assertThat(placeOf("small.service")).isEqualTo("m1");
    cluster.destroy(DB, CALLER);
    Entry leaving = m1.awaitTarget(DB, TargetState.STOPPING);
    assertThat(cluster.unit(WEB).orElseThrow().machine()).isEmpty();
    m1.gone(leaving);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
  }

  @Test
  void twoUnitsOfOneBatchAreNotPromisedTheSameRoom() throws Exception {
    new StoredMachine(store, registry, "m1")
        .present(Map.of(), Isolation.KEEP, new Resources(2000, 1L << 30, 0));
    for (int i = 0; i < 8; i++) {
      put("u" + i + ".service", "Cores=0.5");
    }
    for (int i = 0; i < 8; i++) {
      awaitView(
          UnitName.of("u" + i + ".service"),
          view -> view.machine().isPresent() || !view.waiting().isEmpty());
    }
    assertThat(cluster.units()).filteredOn(view -> view.machine().isPresent()).hasSize(4);
  }

  @Test
  void aGlobalUnitThatComesLaterIsPromisedNoMoreThanIsLeft() throws Exception {
    Resources small = new Resources(2000, 1L << 30, 0);
    new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP, small);
    launch(DB.value(), "Memory=700M");
    launch("log.service", "Global=true\nMemory=400M");
    assertThat(reserved("m1")).isEqualTo(700L << 20);

    new StoredMachine(store, registry, "m2").present(Map.of(), Isolation.KEEP, small);
    launch(WEB.value(), "Memory=700M");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("all 2 machines have no room for 700M of memory");
    assertThat(reserved("m2")).isEqualTo(400L << 20);
  }

  @Test
  void aGlobalUnitAndAnotherOfOneBatchAreNotPromisedTheSameRoom() throws Exception {
    new StoredMachine(store, registry, "m1")
        .present(Map.of(), Isolation.KEEP, new Resources(2000, 1L << 30, 0));
    for (int i = 0; i < 8; i++) {
      put("log" + i + ".service", "Global=true\nMemory=100M");
      put("u" + i + ".service", "Memory=200M");
    }
    for (int i = 0; i < 8; i++) {
      awaitView(
          UnitName.of("u" + i + ".service"),
          view -> view.machine().isPresent() || !view.waiting().isEmpty());
    }
    assertThat(reserved("m1")).isGreaterThan(800L << 20).isLessThanOrEqualTo(1L << 30);
  }

  @Test
  void theNextLeaderPromisesNoMoreThanTheLastOneLeft() throws Exception {
    new StoredMachine(store, registry, "m1")
        .present(Map.of(), Isolation.KEEP, new Resources(2000, 1L << 30, 0));
    launch(DB.value(), "Memory=700M");
    launch("log.service", "Global=true\nMemory=200M");
    anotherLeads();

    launch(WEB.value(), "Memory=200M");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("the only machine has no room for 200M of memory");
    assertThat(reserved("m1")).isEqualTo(900L << 20);
  }

  @Test
  void aUnitThatWaitsSaysWhatIsInTheWayAndTheSmallestChange() throws Exception {
    machine("m1", Map.of("zone", "a"));
    machine("m2", Map.of("zone", "b"));
    launch(DB.value(), "MachineMetadata=zone=a\nConflicts=web.service");
    launch(WEB.value(), "MachineMetadata=zone=a");

    PlacementReasons why = cluster.why(WEB).orElseThrow();
    assertThat(why.standing()).isEqualTo(PlacementReasons.Standing.WAITS);
    assertThat(why.reason())
        .isEqualTo("1 of 2 machines lacks zone=a, 1 conflicts with db.service")
        .isEqualTo(cluster.unit(WEB).orElseThrow().waiting());
    assertThat(why.obstacles())
        .extracting(PlacementReasons.Obstacle::rule)
        .containsExactly("MachineMetadata", "Conflicts");
    assertThat(why.obstacles().getFirst().machines()).containsExactly(entry("m2", "lacks zone=a"));
    assertThat(why.nearest().orElseThrow().change()).isEqualTo("db.service leaves machine m1");
    assertThat(cluster.why(UnitName.of("no.service"))).isEmpty();
  }

  @Test
  void aUnitThatIsPlacedSaysWhyThereAndNotOnTheNextTwo() throws Exception {
    machine("m1");
    machine("m2");
    launch(DB.value(), "");
    launch(WEB.value(), "");
    String place = placeOf(WEB.value());

    PlacementReasons why = cluster.why(WEB).orElseThrow();
    assertThat(why.standing()).isEqualTo(PlacementReasons.Standing.PLACED);
    assertThat(why.machine()).contains(place);
    assertThat(why.reason())
        .isEqualTo("least loaded of the machines that fit: no unit on it")
        .isEqualTo(cluster.unit(WEB).orElseThrow().reason());
    assertThat(why.contenders())
        .containsExactly(
            new PlacementReasons.Contender(
                "m2", "least loaded of the machines that fit: no unit on it"),
            new PlacementReasons.Contender("m1", "has 1 unit, and m2 no unit"));
    assertThat(placeOf(WEB.value())).isEqualTo(place);
  }

  @Test
  void whoeverIsNotWantedSaysWhereItWouldGoAndAGlobalUnitWhereItRuns() throws Exception {
    machine("m1", Map.of("zone", "a"));
    machine("m2", Map.of("zone", "b"));
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    var _ = cluster.put(WEB, Optional.of(file), Optional.empty(), CALLER);
    launch("log.service", "Global=true\nMachineMetadata=zone=a");

    assertThat(cluster.why(WEB).orElseThrow().standing())
        .isEqualTo(PlacementReasons.Standing.INACTIVE);
    assertThat(cluster.why(WEB).orElseThrow().contenders())
        .extracting(PlacementReasons.Contender::machine)
        .containsExactly("m2", "m1");
    var _ = store.await("log", entries -> entries.containsKey("global/log.service"));
    PlacementReasons global = cluster.why(UnitName.of("log.service")).orElseThrow();
    assertThat(global.standing()).isEqualTo(PlacementReasons.Standing.GLOBAL);
    assertThat(global.reason()).isEqualTo("1 of 2 machines lacks zone=a");
    assertThat(global.contenders())
        .containsExactly(new PlacementReasons.Contender("m1", "fits, with 1 unit"));
  }

  @Test
  void nothingNewComesToACordonedMachineAlsoAfterItWasAwayAndWhatIsThereStays() throws Exception {
    StoredMachine m1 = machine("m1");
    launch(DB.value(), "");
    assertThat(cluster.cordon("m1", true, CALLER)).isTrue();
    assertThat(cluster.cordon("m1", true, CALLER)).isFalse();
    assertThat(cluster.machines().getFirst().cordoned()).isTrue();
    launch(WEB.value(), "");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .isEqualTo("the only machine is cordoned");
    assertThat(cluster.why(WEB).orElseThrow().nearest().orElseThrow().change())
        .isEqualTo("machine m1 is uncordoned");
    assertThat(placeOf(DB.value())).isEqualTo("m1");

    m1.silent();
    awaitView(DB, view -> view.machine().isEmpty());
    m1.present(Map.of(), Isolation.KEEP);
    assertThat(placeOf(DB.value())).isEqualTo("m1");
    assertThat(cluster.machines().getFirst().cordoned()).isTrue();
    assertThat(cluster.unit(WEB).orElseThrow().waiting()).isEqualTo("the only machine is cordoned");

    assertThat(cluster.cordon("m1", false, CALLER)).isTrue();
    assertThat(placeOf(WEB.value())).isEqualTo("m1");
  }

  @Test
  void aCordonedMachineThatIsAwayIsNamedThoughItHasNoUnits() throws Exception {
    StoredMachine m1 = machine("m1");
    machine("m2");
    assertThat(cluster.cordon("m1", true, CALLER)).isTrue();
    assertThat(cluster.absences().machines()).isEmpty();
    m1.silent();
    launch(WEB.value(), "");
    assertThat(cluster.absences().machines())
        .containsExactly(
            new AbsentMachines.Absent("m1", 0, AbsentMachines.Standing.CORDONED, Optional.empty()));
    assertThat(cluster.cordon("m1", false, CALLER)).isTrue();
    assertThat(cluster.absences().machines()).isEmpty();
  }

  @Test
  void cordonsAreKnownToTheNextLeader() throws Exception {
    machine("m1");
    machine("m2");
    assertThat(cluster.cordon("m1", true, CALLER)).isTrue();
    anotherLeads();

    launch(DB.value(), "");
    launch(WEB.value(), "");
    assertThat(List.of(placeOf(DB.value()), placeOf(WEB.value()))).containsExactly("m2", "m2");
  }

  private void anotherLeads() {
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    long token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster.lead(new Term(token, true));
  }

  private long reserved(String machine) {
    return cluster.machines().stream()
        .filter(view -> view.id().equals(machine))
        .mapToLong(view -> view.reserved().memory())
        .sum();
  }

  @Test
  void aThousandUnitsThatWaitCostNothingWhenAnotherIsPlaced() throws Exception {
    machine("m1");
    for (int i = 0; i < 1_000; i++) {
      put("waits" + i + ".service", "MachineMetadata=region=eu");
    }
    awaitView(UnitName.of("waits999.service"), view -> view.waiting().contains("region=eu"));
    for (int i = 0; i < 200; i++) {
      launch("u" + i + ".service", "");
    }
    assertThat(placeOf("u199.service")).isEqualTo("m1");
    assertThat(cluster.unit(UnitName.of("waits0.service")).orElseThrow().waiting())
        .contains("region=eu");
  }

  private StoredMachine machine(String id) {
    return machine(id, Map.of());
  }

  private StoredMachine machine(String id, Map<String, String> metadata) {
    return new StoredMachine(store, registry, id).present(metadata, Isolation.KEEP);
  }

  private void put(String unit, String fleet) {
    try {
      UnitFile file =
          UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
      var _ =
          cluster.put(
              UnitName.of(unit), Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Launches, and returns once it was decided what becomes of it. */
  private void launch(String unit, String fleet) throws Exception {
    put(unit, fleet);
    awaitView(
        UnitName.of(unit),
        view -> view.global() || view.machine().isPresent() || !view.waiting().isEmpty());
  }

  private String placeOf(String unit) throws Exception {
    return awaitView(UnitName.of(unit), view -> view.machine().isPresent()).machine().orElseThrow();
  }

  private UnitView awaitView(UnitName name, Predicate<UnitView> condition)
      throws InterruptedException {
    return LedCluster.awaitView(cluster, name, condition);
  }
}
