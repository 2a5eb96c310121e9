package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import fleet.cluster.Caller;
import fleet.cluster.Intent;
import fleet.cluster.Plan.Change;
import fleet.cluster.Plan.Kind;
import fleet.cluster.UnitPut;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A forecast says what would follow, and nothing of it happens. */
class ForecastTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName A = UnitName.of("a.service");
  private static final UnitName B = UnitName.of("b.service");
  private static final UnitName LOG = UnitName.of("log.service");

  private StoredMachine m1;

  @BeforeEach
  void first() {
    Resources total = new Resources(4_000, 3L << 30, 0, 0);
    m1 = new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP, total);
  }

  private void second() {
    Resources total = new Resources(4_000, 3L << 30, 0, 0);
    StoredMachine m2 = new StoredMachine(store, registry, "m2");
    assertThat(m2.present(Map.of("n", "2"), Isolation.KEEP, total).id()).isEqualTo("m2");
  }

  /** The plan; nothing of it may have reached the registry. */
  private List<Change> changes(Intent intent) {
    Snapshot before = registry.read("");
    List<Change> changes = cluster.plan(intent).changes();
    assertThat(registry.read("")).isEqualTo(before);
    return changes;
  }

  @Test
  void aUnitThatWouldStartSaysWhere() throws Exception {
    running(A, "Memory=2G");
    second();
    assertThat(changes(put(B, "Memory=2G", DesiredState.LAUNCHED)))
        .containsExactly(
            new Change(
                B, Kind.PLACED, "", "m2", "least loaded of the machines that fit: no unit on it"));
    assertThat(cluster.unit(B)).isEmpty();
    assertThat(changes(put(B, "Memory=9G", DesiredState.LAUNCHED)))
        .singleElement()
        .satisfies(change -> {
          assertThat(change.kind()).isEqualTo(Kind.UNPLACED);
          assertThat(change.why()).contains("no room for 9G of memory");
        });
    assertThat(changes(put(B, "", DesiredState.INACTIVE))).isEmpty();
  }

  @Test
  void aUnitThatRunsIsNotStartedOneThatStopsIs() throws Exception {
    running(A, "");
    assertThat(changes(desired(A, DesiredState.LAUNCHED))).isEmpty();
    assertThat(changes(desired(A, DesiredState.LOADED)))
        .containsExactly(new Change(A, Kind.STOPPED, "m1", "m1", ""));
    assertThat(changes(desired(A, DesiredState.INACTIVE)))
        .containsExactly(new Change(A, Kind.LEFT, "m1", "", "nobody asks for it any more"));
    assertThat(changes(put(A, "Memory=1G", DesiredState.LAUNCHED)))
        .containsExactly(new Change(A, Kind.STARTED, "m1", "m1", ""));
  }

  @Test
  void aUnitThatHasEndedStartsAgain() throws Exception {
    launch(A, "");
    m1.ended(m1.awaitTarget(A, TargetState.LAUNCHED));
    assertThat(changes(desired(A, DesiredState.LAUNCHED)))
        .containsExactly(new Change(A, Kind.STARTED, "m1", "m1", ""));
    assertThat(changes(desired(A, DesiredState.LOADED)))
        .containsExactly(new Change(A, Kind.STOPPED, "m1", "m1", ""));
  }

  @Test
  void whatIsDestroyedMakesRoomForWhatWaits() throws Exception {
    running(A, "Memory=2G");
    launch(B, "Memory=2G");
    assertThat(changes(new Intent.Destroy(Set.of(A))))
        .extracting(Change::unit, Change::kind, Change::from, Change::to)
        .containsExactly(tuple(A, Kind.LEFT, "m1", ""), tuple(B, Kind.PLACED, "", "m1"));
  }

  @Test
  void aDrainMovesWhatFindsAPlaceAndSaysWhatStays() throws Exception {
    running(A, "Memory=2G");
    running(B, "MachineID=m1");
    second();
    List<Change> changes = changes(new Intent.Drain("m1", 1));
    assertThat(changes)
        .extracting(Change::unit, Change::kind, Change::from, Change::to)
        .containsExactly(tuple(A, Kind.MOVED, "m1", "m2"), tuple(B, Kind.STAYS, "m1", ""));
    assertThat(changes.get(1).why()).contains("cordoned");
    assertThat(cluster.operations()).isEmpty();
    assertThat(cluster.machines().getFirst().cordoned()).isFalse();
  }

  @Test
  void aFamilyIsDrainedToItsLast() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(UnitName.of("web@" + i + ".service"), "");
    }
    second();
    assertThat(changes(new Intent.Drain("m1", 1)))
        .hasSize(4)
        .allMatch(change -> change.kind() == Kind.MOVED);
  }

  @Test
  void theUnitsOfALostMachineMoveAndWhatFindsNoPlaceIsNamed() throws Exception {
    running(A, "Memory=2G");
    running(B, "MachineID=m1");
    second();
    assertThat(changes(new Intent.Lose("m1")))
        .extracting(Change::unit, Change::kind, Change::from, Change::to)
        .containsExactly(tuple(A, Kind.MOVED, "m1", "m2"), tuple(B, Kind.UNPLACED, "m1", ""));
    assertThat(cluster.machines()).hasSize(2);
  }

  @Test
  void whatHasEndedOnALostMachineIsLoadedElsewhereAndRunsWhereSomebodyAsksForIt() throws Exception {
    running(A, "");
    m1.ended(m1.awaitTarget(A, TargetState.LAUNCHED));
    second();
    assertThat(changes(new Intent.Lose("m1")))
        .singleElement()
        .matches(change -> change.kind() == Kind.MOVED && change.to().equals("m2"))
        .matches(change -> change.why().contains("not started, as it has ended"));
  }

  @Test
  void globalUnitsComeMachineByMachine() {
    second();
    assertThat(changes(put(LOG, "Global=true\nMachineMetadata=n=2", DesiredState.LAUNCHED)))
        .containsExactly(new Change(LOG, Kind.PLACED, "", "m2", "it is global, and fits"));
  }

  // ---- means

  private void running(UnitName unit, String fleet) throws Exception {
    launch(unit, fleet);
    m1.running(m1.awaitTarget(unit, TargetState.LAUNCHED));
  }

  private void launch(UnitName unit, String fleet) {
    var _ = cluster.put(unit, Optional.of(file(fleet)), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  private static Intent put(UnitName unit, String fleet, DesiredState desired) {
    return new Intent.Put(
        List.of(new UnitPut(unit, Optional.of(file(fleet)), Optional.of(desired))));
  }

  private static Intent desired(UnitName unit, DesiredState desired) {
    return new Intent.Put(List.of(new UnitPut(unit, Optional.empty(), Optional.of(desired))));
  }

  private static UnitFile file(String fleet) {
    try {
      return UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
