package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.cluster.EventsFrom;
import fleet.cluster.Intent;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.Plan;
import fleet.cluster.RebalanceStart;
import fleet.cluster.UnitView;
import fleet.core.machine.Isolation;
import fleet.core.machine.Resources;
import fleet.core.operation.Evenness;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Units go from machines that have many to a machine that has few, each to the place found. */
class RebalanceTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final Intent.Rebalance WISH = new Intent.Rebalance(1, 100, 1);
  private static final UnitName A = UnitName.of("a.service");
  private static final UnitName B = UnitName.of("b.service");
  private static final String WHY = "rebalance, as user a asked";

  private StoredMachine m1;

  @BeforeEach
  void first() throws Exception {
    m1 = machine("m1");
  }

  @Test
  void theFewestGoAndWhoAskedIsToldOf() throws Exception {
    running(m1, A, "");
    running(m1, B, "");
    StoredMachine m2 = machine("m2");
    assertThat(cluster.operations()).isEmpty();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(cluster.begin(WISH, CALLER))
          .isEqualTo(new RebalanceStart(RebalanceStart.Kind.BEGUN, ""));
      Entry leaving = m1.awaitTarget(A, TargetState.STOPPING);
      assertThat(ScheduleRecord.of(leaving).next()).isEqualTo("m2");
      await(() -> standings().contains(Standing.LEAVING));
      assertThat(units()).containsExactly(new Step(A, Standing.LEAVING, "m1", "m2", WHY));
      assertThat(cluster.begin(WISH, new Caller("user b")).text())
          .contains("a rebalance that user a asked for is under way", "--stop");
      m1.gone(leaving);
      m2.running(m2.awaitTarget(A, TargetState.LAUNCHED));
      await(this::hasEnded);
      assertThat(
              LedCluster.eventsUpTo(
                  events,
                  Event.Body.of(OperationId.REBALANCE, Cause.of("ended: moves made: 1 of 1"))))
          .contains(
              Event.Body.of(
                  OperationId.REBALANCE,
                  new Cause("user a", "began: 1 move, within 1, at most 1 down at a time")),
              new Event.Body(Kind.LEAVING, Subject.of(A, "m1"), Cause.of(WHY)),
              new Event.Body(Kind.MOVED, new Subject(Optional.of(A), "m2", "m1"), Cause.of(WHY)));
    }
    assertThat(units()).extracting(Step::standing).containsExactly(Standing.DONE);
    assertThat(rebalance().operation().reason()).isEqualTo("machines have 1 unit each");
    assertThat(cluster.unit(A).orElseThrow().reason()).isEqualTo(WHY);
    assertThat(cluster.why(A).orElseThrow().reason()).isEqualTo(WHY);
    assertThat(cluster.begin(WISH, CALLER))
        .isEqualTo(new RebalanceStart(RebalanceStart.Kind.NOTHING, "machines have 1 unit each"));
    m1.awaitTarget(B, TargetState.LAUNCHED);
  }

  @Test
  void ofAFamilyTheNextLeavesOnceTheOneBeforeIsActive() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    StoredMachine m2 = machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    assertThat(standings()).containsExactlyInAnyOrder(Standing.LEAVING, Standing.WAITS);
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    Entry there = m2.awaitTarget(one, TargetState.LAUNCHED);
    m1.awaitTarget(other, TargetState.LAUNCHED);
    assertThat(hasEnded()).isFalse();
    m2.running(there);
    m1.gone(m1.awaitTarget(other, TargetState.STOPPING));
    m2.running(m2.awaitTarget(other, TargetState.LAUNCHED));
    await(this::hasEnded);
  }

  @Test
  void whatCannotGoAnyMoreStaysAndTheEndSaysWhy() throws Exception {
    running(m1, web(1), "");
    running(m1, web(2), "");
    running(m1, web(3), "");
    running(m1, web(4), "");
    StoredMachine m2 = machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    assertThat(cluster.cordon("m2", true, CALLER)).isTrue();
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    // Its place is not there any more, so it goes where it can.
    m1.running(m1.awaitTarget(one, TargetState.LAUNCHED));
    await(this::hasEnded);
    assertThat(standingOf(other)).isEqualTo(Standing.STAYS);
    assertThat(whyOf(other)).isEqualTo("machine m2 is cordoned");
    m1.awaitTarget(other, TargetState.LAUNCHED);
    m2.awaitNothingOf(other);
  }

  @Test
  void oneThatIsStoppedLetsThoseThatHaveLeftGoOn() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    StoredMachine m2 = machine("m2");
    assertThat(stop("user a")).isEqualTo(OperationChanged.UNKNOWN);
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    assertThat(stop("user b")).isEqualTo(OperationChanged.CHANGED);
    assertThat(stop("user a")).isEqualTo(OperationChanged.ALREADY);
    assertThat(start()).isEqualTo(RebalanceStart.Kind.UNDER_WAY);
    // Rather than where there is the most room.
    machine("m3");
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    m2.running(m2.awaitTarget(one, TargetState.LAUNCHED));
    await(this::hasEnded);
    assertThat(whyOf(other)).isEqualTo("user b stopped the rebalance");
    assertThat(rebalance().operation().stage()).isEqualTo(Stage.CANCELLED);
    m1.awaitTarget(other, TargetState.LAUNCHED);
  }

  @Test
  void oneThatIsPausedDoesNotEndAndGoesOnAsSomebodyAsks() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    StoredMachine m2 = machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.CHANGED);
      var paused = Event.Body.of(OperationId.REBALANCE, new Cause("user a", "is paused"));
      assertThat(LedCluster.eventsUpTo(events, paused)).contains(paused);
    }
    m1.gone(m1.awaitTarget(one, TargetState.STOPPING));
    m2.running(m2.awaitTarget(one, TargetState.LAUNCHED));
    await(() -> whyOf(other).equals("the rebalance is paused"));
    assertThat(standingOf(other)).isEqualTo(Standing.WAITS);
    assertThat(rebalance().waitsFor()).isEmpty();
    m1.awaitTarget(other, TargetState.LAUNCHED);
    assertThat(hasEnded()).isFalse();
    assertThat(change(OperationChange.RESUME)).isEqualTo(OperationChanged.CHANGED);
    m1.gone(m1.awaitTarget(other, TargetState.STOPPING));
    m2.running(m2.awaitTarget(other, TargetState.LAUNCHED));
    await(this::hasEnded);
    assertThat(rebalance().operation().stage()).isEqualTo(Stage.DONE);
  }

  @Test
  void theNextLeaderGoesOnAndEndsIt() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    StoredMachine m2 = machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    Entry leaving = m1.awaitTarget(one, TargetState.STOPPING);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    machine("m3");
    lead();
    m1.gone(leaving);
    m2.running(m2.awaitTarget(one, TargetState.LAUNCHED));
    m1.gone(m1.awaitTarget(other, TargetState.STOPPING));
    m2.running(m2.awaitTarget(other, TargetState.LAUNCHED));
    await(this::hasEnded);
    assertThat(standings()).containsExactly(Standing.DONE, Standing.DONE);
  }

  /** Nobody has to decide anything about what the leader before saw go. */
  @Test
  void theNextLeaderEndsOneOfWhichAllUnitsAreDestroyed() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    cluster.retire("another leads");
    var destroyed = Transaction.when().delete(Keys.LEADER);
    for (int i = 1; i <= 4; i++) {
      destroyed
          .delete(Keys.unit(web(i)))
          .delete(Keys.placement(web(i)))
          .delete(Keys.schedule("m1", web(i)))
          .delete(Keys.state("m1", web(i)));
    }
    var _ = registry.commit(destroyed.build());
    await(() -> cluster.units().isEmpty());
    lead();
    await(this::hasEnded);
  }

  @Test
  void theNextLeaderDoesNotEndItBeforeMachinesHaveSpokenToIt() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    StoredMachine m2 = machine("m2");
    assertThat(start()).isEqualTo(RebalanceStart.Kind.BEGUN);
    await(() -> standings().contains(Standing.LEAVING));
    UnitName one = with(Standing.LEAVING);
    UnitName other = with(Standing.WAITS);
    Entry leaving = m1.awaitTarget(one, TargetState.STOPPING);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    m2.silent();
    leadAgain();
    m1.gone(leaving);
    m1.running(m1.awaitTarget(one, TargetState.LAUNCHED));
    await(() -> standings().equals(List.of(Standing.STAYS, Standing.STAYS)));
    assertThat(whyOf(other)).isEqualTo("machine m2 is not there");
    machine("m2");
    await(() -> standings().contains(Standing.LEAVING));
  }

  @Test
  void whatFailedEndedOrIsUnderWayIsNotMoved() throws Exception {
    launch(A, "");
    m1.ended(m1.awaitTarget(A, TargetState.LAUNCHED));
    UnitName failed = UnitName.of("failed.service");
    launch(failed, "");
    m1.failed(m1.awaitTarget(failed, TargetState.LAUNCHED));
    UnitName changing = UnitName.of("changing.service");
    launch(changing, "");
    m1.activating(m1.awaitTarget(changing, TargetState.LAUNCHED));
    UnitName silent = UnitName.of("silent.service");
    launch(silent, "");
    Entry unknown = m1.awaitTarget(silent, TargetState.LAUNCHED);
    machine("m2");
    assertThat(cluster.begin(WISH, CALLER))
        .isEqualTo(
            new RebalanceStart(
                RebalanceStart.Kind.NOTHING,
                "machines have 0 to 4 units each; no more units may move from the machines that"
                    + " have the most to those that have fewer"));
    m1.running(unknown);
    await(() -> start() == RebalanceStart.Kind.BEGUN);
    assertThat(units()).extracting(unit -> unit.unit()).containsExactly(silent);
  }

  @Test
  void aClusterThatFillsMachinesIsNotEvenedOut() throws Exception {
    running(m1, A, "");
    running(m1, B, "");
    machine("m2");
    assertThat(cluster.set("scheduler.strategy", "binpack", CALLER)).isEmpty();
    RebalanceStart refused = cluster.begin(WISH, CALLER);
    assertThat(refused.kind()).isEqualTo(RebalanceStart.Kind.REFUSED);
    assertThat(refused.text()).contains("binpack", "fleetctl config set scheduler.strategy");
    assertThat(cluster.plan(WISH).refusal()).isEqualTo(refused.text());
    assertThat(registry.get(Keys.operation(OperationId.REBALANCE))).isEmpty();
  }

  @Test
  void aPlanSaysWhatWouldMoveAndHowEvenThatIs() throws Exception {
    for (int i = 1; i <= 4; i++) {
      running(m1, web(i), "");
    }
    machine("m2");
    Snapshot before = registry.read("");
    Plan plan = cluster.plan(WISH);
    assertThat(registry.read("")).isEqualTo(before);
    assertThat(plan.changes())
        .containsExactly(
            new Plan.Change(web(1), Plan.Kind.MOVED, "m1", "m2", "leaves 4 units for 0"),
            new Plan.Change(web(2), Plan.Kind.MOVED, "m1", "m2", "leaves 3 units for 1"));
    assertThat(plan.evening())
        .contains(new Plan.Evening(new Evenness(0, 4), new Evenness(2, 2), ""));
    Plan one = cluster.plan(new Intent.Rebalance(1, 1, 1));
    assertThat(one.changes()).hasSize(1);
    assertThat(one.evening())
        .contains(
            new Plan.Evening(new Evenness(0, 4), new Evenness(1, 3), "more moves would be needed"));
    assertThat(cluster.plan(new Intent.Rebalance(4, 100, 1)).changes()).isEmpty();
  }

  // ---- means

  private RebalanceStart.Kind start() {
    return cluster.begin(WISH, CALLER).kind();
  }

  private static UnitName web(int number) {
    return UnitName.of("web@" + number + ".service");
  }

  private boolean hasEnded() {
    return rebalance().operation().stage().isOver();
  }

  private OperationProgress rebalance() {
    return cluster.operation(OperationId.REBALANCE).orElseThrow();
  }

  private OperationChanged change(OperationChange change) {
    return cluster.change(OperationId.REBALANCE, change, CALLER);
  }

  private OperationChanged stop(String who) {
    return cluster.change(OperationId.REBALANCE, OperationChange.CANCEL, new Caller(who));
  }

  private List<Step> units() {
    return rebalance().steps();
  }

  private List<Standing> standings() {
    return units().stream().map(Step::standing).toList();
  }

  private Step of(UnitName unit) {
    return units().stream().filter(one -> one.unit().equals(unit)).findFirst().orElseThrow();
  }

  private Standing standingOf(UnitName unit) {
    return of(unit).standing();
  }

  private String whyOf(UnitName unit) {
    return of(unit).detail();
  }

  private UnitName with(Standing standing) {
    return units().stream()
        .filter(unit -> unit.standing() == standing)
        .findFirst()
        .orElseThrow()
        .unit();
  }

  private StoredMachine machine(String id) throws Exception {
    StoredMachine machine =
        new StoredMachine(store, registry, id).present(Map.of(), Isolation.KEEP, Resources.UNKNOWN);
    await(() -> cluster.machines().stream().anyMatch(view -> view.id().equals(id)));
    return machine;
  }

  private void running(StoredMachine machine, UnitName unit, String fleet) throws Exception {
    launch(unit, fleet);
    machine.running(machine.awaitTarget(unit, TargetState.LAUNCHED));
    await(() ->
        cluster.unit(unit).flatMap(UnitView::current).equals(Optional.of(DesiredState.LAUNCHED)));
  }

  private void launch(UnitName unit, String fleet) {
    try {
      UnitFile file =
          UnitFile.parse("[Service]\nExecStart=/bin/sleep 1000\n[X-Fleet]\n" + fleet + "\n");
      var _ = cluster.put(unit, Optional.of(file), Optional.of(DesiredState.LAUNCHED), CALLER);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    Await.until(condition, () -> cluster.operations() + " " + cluster.units());
  }
}
