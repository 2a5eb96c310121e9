package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Requirements given when a unit is started count beside its file's, until it is unloaded. */
class RequireTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user test");
  private static final UnitName WEB = UnitName.of("web.service");
  private static final UnitName DB = UnitName.of("db.service");
  private static final UnitName LOG = UnitName.of("log.service");

  @Test
  void aUnitComesWhereItsFileAndTheOthersFit() throws Exception {
    machine("m1", Map.of("region", "eu"));
    machine("m2", Map.of("disk", "ssd"));
    put(WEB, "MachineMetadata=disk=ssd", DesiredState.LAUNCHED, "MachineMetadata=region=eu");
    assertThat(awaitView(WEB, view -> !view.waiting().isEmpty()).waiting())
        .contains("region=eu", "disk=ssd");
    StoredMachine m3 = machine("m3", Map.of("disk", "ssd", "region", "eu"));

    Entry entry = m3.awaitTarget(WEB, TargetState.LAUNCHED);

    assertThat(ScheduleRecord.of(entry).require()).containsExactly("MachineMetadata=region=eu");
    UnitView view = awaitView(WEB, shown -> shown.machine().isPresent());
    assertThat(view.unit().require()).containsExactly("MachineMetadata=region=eu");
    assertThat(cluster.why(WEB).orElseThrow().require())
        .containsExactly("MachineMetadata=region=eu");
    machine("m3", Map.of("disk", "ssd", "region", "us"));
    m3.awaitTarget(WEB, TargetState.STOPPING);
  }

  @Test
  void whatIsReservedByThemIsPromisedOnce() throws Exception {
    StoredMachine m1 = machine("m1", Map.of());
    put(WEB, "Memory=100M", DesiredState.LAUNCHED, "Memory=700M");
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    put(DB, "Memory=400M", DesiredState.LAUNCHED);
    assertThat(awaitView(DB, view -> !view.waiting().isEmpty()).waiting())
        .contains("no room for 400M of memory");
    assertThat(cluster.machines().getFirst().reserved().memory()).isEqualTo(700L << 20);
  }

  @Test
  void theyAreKeptBySmallerCommandsAndAChangeOfLeaderAndDroppedByAnUnload() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    put(WEB, "", DesiredState.LOADED, "MachineMetadata=region=eu");
    m1.awaitTarget(WEB, TargetState.LOADED);
    assertThat(put(WEB, Optional.empty(), DesiredState.LAUNCHED)).isEqualTo(PutResult.UPDATED);
    Entry launched = m1.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(put(WEB, Optional.of(file("")), DesiredState.LAUNCHED)).isEqualTo(PutResult.UPDATED);
    retire();
    lead();
    assertThat(asked(WEB)).containsExactly("MachineMetadata=region=eu");
    m1.present(Map.of("region", "eu"), Isolation.KEEP).silent();
    StoredMachine m2 = machine("m2", Map.of("region", "us"));
    // Once the machine that is there has been looked at, too.
    assertThat(awaitView(WEB, view -> view.waiting().contains("region=eu")).waiting())
        .contains("machine m1 is lost");
    StoredMachine m3 = machine("m3", Map.of("region", "eu"));
    Entry moved = m3.awaitTarget(WEB, TargetState.LAUNCHED);
    assertThat(ScheduleRecord.of(moved).require()).isEqualTo(ScheduleRecord.of(launched).require());

    assertThat(put(WEB, Optional.empty(), DesiredState.INACTIVE)).isEqualTo(PutResult.UPDATED);
    assertThat(asked(WEB)).isEmpty();
    m3.gone(m3.awaitTarget(WEB, TargetState.STOPPING));
    m3.awaitNothingOf(WEB);
    m3.silent();
    put(WEB, Optional.empty(), DesiredState.LAUNCHED);
    assertThat(ScheduleRecord.of(m2.awaitTarget(WEB, TargetState.LAUNCHED)).require()).isEmpty();
  }

  @Test
  void othersAreRefusedUntilItIsUnloadedAndTheSameOnesChangeNothing() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    put(WEB, "", DesiredState.LAUNCHED, "MachineMetadata=region=eu");
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    Entry before = registry.get(Keys.unit(WEB)).orElseThrow();
    for (DesiredState desired : List.of(DesiredState.LOADED, DesiredState.LAUNCHED)) {
      assertThat(put(WEB, Optional.empty(), desired, "Memory=1G"))
          .isEqualTo(PutResult.OTHER_REQUIREMENTS);
    }
    assertThat(put(WEB, Optional.empty(), DesiredState.LAUNCHED, "MachineMetadata=region=eu"))
        .isEqualTo(PutResult.UPDATED);
    assertThat(registry.get(Keys.unit(WEB))).contains(before);
    put(DB, "", DesiredState.LOADED);
    assertThat(put(DB, Optional.empty(), DesiredState.LAUNCHED, "Memory=1G"))
        .isEqualTo(PutResult.OTHER_REQUIREMENTS);
  }

  @Test
  void oneThatIsStartedAgainWithOthersLeavesFirst() throws Exception {
    StoredMachine m1 = machine("m1", Map.of("region", "eu"));
    put(WEB, "", DesiredState.LAUNCHED);
    m1.awaitTarget(WEB, TargetState.LAUNCHED);
    retire();
    var commands = new UnitCommands(registry, Clock.systemUTC(), RequireTest::none);
    var _ =
        commands.put(
            List.of(new UnitPut(WEB, Optional.empty(), Optional.of(DesiredState.INACTIVE))),
            CALLER);
    var _ =
        commands.put(
            List.of(
                new UnitPut(
                    WEB,
                    Optional.empty(),
                    Optional.of(DesiredState.LAUNCHED),
                    List.of("Memory=700M"))),
            CALLER);
    lead();
    m1.gone(m1.awaitTarget(WEB, TargetState.STOPPING));
    assertThat(ScheduleRecord.of(m1.awaitTarget(WEB, TargetState.LAUNCHED)).require())
        .containsExactly("Memory=700M");
  }

  @Test
  void anotherContentKeepsThemUnlessItBringsItsOwn() throws Exception {
    machine("m1", Map.of());
    put(WEB, "", DesiredState.LAUNCHED, "Memory=100M");
    assertThat(put(WEB, Optional.of(file("Memory=1M")), DesiredState.LAUNCHED))
        .isEqualTo(PutResult.REPLACED);
    assertThat(asked(WEB)).containsExactly("Memory=100M");
    put(WEB, Optional.of(file("Memory=2M")), DesiredState.LAUNCHED, "Memory=200M");
    assertThat(asked(WEB)).containsExactly("Memory=200M");
    put(WEB, Optional.of(file("Memory=3M")), DesiredState.INACTIVE);
    assertThat(asked(WEB)).isEmpty();
  }

  @Test
  void aGlobalUnitComesOnlyWhereTheyFit() throws Exception {
    machine("m1", Map.of("region", "eu"));
    machine("m2", Map.of("region", "us"));
    put(LOG, "Global=true", DesiredState.LAUNCHED, "MachineMetadata=region=eu", "Memory=300M");
    var _ =
        store.await(
            "global with them",
            all ->
                globally(all)
                    .filter(List.of("MachineMetadata=region=eu", "Memory=300M")::equals)
                    .isPresent());
    awaitView(LOG, UnitView::global);
    put(DB, "", DesiredState.LAUNCHED);
    awaitView(DB, view -> view.machine().isPresent());
    assertThat(cluster.machines())
        .extracting(view -> view.reserved().memory())
        .containsExactly(300L << 20, 0L);
    put(LOG, Optional.empty(), DesiredState.INACTIVE);
    put(LOG, Optional.empty(), DesiredState.LAUNCHED);
    var _ =
        store.await("global without them", all -> globally(all).filter(List::isEmpty).isPresent());
  }

  @Test
  void aPlanCountsThem() throws Exception {
    machine("m1", Map.of());
    machine("m2", Map.of("region", "eu"));
    assertThat(
            cluster
                .plan(
                    new Intent.Put(
                        List.of(
                            new UnitPut(
                                WEB,
                                Optional.of(file("")),
                                Optional.of(DesiredState.LAUNCHED),
                                List.of("MachineMetadata=region=eu")))))
                .changes())
        .extracting(Plan.Change::to)
        .containsExactly("m2");
    assertThat(cluster.unit(WEB)).isEmpty();
  }

  // ---- means

  /** Nobody leads any more, until somebody does. */
  private void retire() {
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
  }

  private static Optional<List<String>> globally(Map<String, Entry> entries) {
    return Optional.ofNullable(entries.get(Keys.global(LOG)))
        .map(entry -> ScheduleRecord.of(entry).require());
  }

  private StoredMachine machine(String id, Map<String, String> metadata) {
    return new StoredMachine(store, registry, id)
        .present(metadata, Isolation.KEEP, new Resources(4000, 1L << 30, 0));
  }

  private void put(UnitName unit, String fleet, DesiredState desired, String... require) {
    assertThat(put(unit, Optional.of(file(fleet)), desired, require)).isEqualTo(PutResult.CREATED);
  }

  private PutResult put(
      UnitName unit, Optional<UnitFile> file, DesiredState desired, String... require) {
    return cluster
        .put(List.of(new UnitPut(unit, file, Optional.of(desired), List.of(require))), CALLER)
        .getFirst();
  }

  private static UnitFile file(String fleet) {
    try {
      return UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Incarnation none() {
    throw new AssertionError("nothing is created");
  }

  private List<String> asked(UnitName unit) {
    return cluster.unit(unit).orElseThrow().unit().require();
  }

  private UnitView awaitView(UnitName name, Predicate<UnitView> condition)
      throws InterruptedException {
    return LedCluster.awaitView(cluster, name, condition);
  }
}
