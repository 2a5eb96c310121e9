package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.NewRestart;
import fleet.cluster.NewRollout;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.RestartResult;
import fleet.cluster.RolloutResult;
import fleet.core.machine.Isolation;
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
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.ScheduleRecord;
import fleet.registry.records.UnitRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A global unit is restarted on one machine after the other. */
class RestartInTurnsTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName MON = UnitName.of("mon.service");
  private static final UnitFile FILE = file("/bin/sleep 1000");
  private static final OperationId RESTART = OperationId.restart(MON);

  private List<StoredMachine> machines = List.of();

  private static UnitFile file(String command) {
    try {
      return UnitFile.parse("[Service]\nExecStart=" + command + "\n[X-Fleet]\nGlobal=true\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private StoredMachine machine(int number) {
    return machines.get(number - 1);
  }

  /** On three machines, of which each has made start 1. */
  private void runOnThree() throws Exception {
    machines =
        Stream.of("m1", "m2", "m3")
            .map(id -> new StoredMachine(store, registry, id).present(Map.of(), Isolation.KEEP))
            .toList();
    var _ = cluster.put(MON, Optional.of(FILE), Optional.of(DesiredState.LAUNCHED), CALLER);
    for (StoredMachine one : machines) {
      one.running(one.awaitGlobalStart(MON, 1));
    }
    await(() -> cluster.states(MON).size() == 3);
  }

  private RestartResult restart() {
    return cluster.begin(new NewRestart(MON, 1, Duration.ZERO), CALLER);
  }

  private Entry start(int number, long counter) throws Exception {
    return machine(number).awaitGlobalStart(MON, counter);
  }

  private OperationProgress progress() {
    return cluster.operation(RESTART).orElseThrow();
  }

  private Stage stage() {
    return progress().operation().stage();
  }

  private boolean isPaused() {
    return progress().operation().paused();
  }

  private List<Standing> standings() {
    return progress().steps().stream().map(Step::standing).toList();
  }

  private void change(OperationChange change) {
    assertThat(cluster.change(RESTART, change, CALLER)).isEqualTo(OperationChanged.CHANGED);
  }

  private ScheduleRecord entry() {
    return ScheduleRecord.of(registry.get(Keys.global(MON)).orElseThrow());
  }

  /** The start that each machine is told to make. */
  private List<Long> starts() {
    return Stream.of("m1", "m2", "m3").map(id -> entry().on(id).restartCounter()).toList();
  }

  /** It has decided several times since, and written more than the steps of a restart. */
  private void leaderHasGoneOn() throws Exception {
    UnitFile other = UnitFile.parse("[Service]\nExecStart=/bin/true\n[X-Fleet]\nMachineID=m1\n");
    for (int i = 0; i < 5; i++) {
      UnitName name = UnitName.of("other" + i + ".service");
      var _ = cluster.put(name, Optional.of(other), Optional.of(DesiredState.LAUNCHED), CALLER);
      machine(1).awaitTarget(name, TargetState.LAUNCHED);
    }
  }

  private UnitRecord unit() {
    return UnitRecord.of(registry.get(Keys.unit(MON)).orElseThrow());
  }

  private static void await(BooleanSupplier condition) throws Exception {
    Await.until(condition);
  }

  @Test
  void oneMachineFollowsTheOtherAndTheUnitHasTheirStartInTheEnd() throws Exception {
    runOnThree();
    var wanted = new NewRestart(MON, 1, Duration.ofMinutes(5));
    assertThat(cluster.begin(wanted, new Caller("user b"))).isEqualTo(RestartResult.STARTED);
    assertThat(restart()).as("it goes on").isEqualTo(RestartResult.FOLLOWED);
    machine(1).running(start(1, 2));
    await(() -> standings().equals(List.of(Standing.PROVING, Standing.WAITS, Standing.WAITS)));
    assertThat(starts()).containsExactly(2L, 1L, 1L);
    skipUntil(Duration.ofMinutes(5), () -> starts().equals(List.of(2L, 2L, 1L)));
    machine(2).running(start(2, 2));
    await(() -> standings().equals(List.of(Standing.DONE, Standing.PROVING, Standing.WAITS)));
    skipUntil(Duration.ofMinutes(5), () -> starts().equals(List.of(2L, 2L, 2L)));
    machine(3).running(start(3, 2));
    await(() -> standings().contains(Standing.PROVING));
    skipUntil(Duration.ofMinutes(5), () -> stage() == Stage.DONE && entry().update().isEmpty());
    assertThat(standings()).containsOnly(Standing.DONE);
    assertThat(starts()).containsExactly(2L, 2L, 2L);
    assertThat(unit().restartCounter()).isEqualTo(2);
    assertThat(unit().by()).isEqualTo("user b");
    assertThat(cluster.history(MON, Set.of())).as("the content is the same").hasSize(1);
  }

  @Test
  void aFailurePausesItAndTheRestAreNotTouched() throws Exception {
    runOnThree();
    var _ = restart();
    machine(1).failed(start(1, 2));
    await(this::isPaused);
    assertThat(stage()).isEqualTo(Stage.FORWARD);
    assertThat(progress().operation().reason())
        .isEqualTo("mon.service on machine m1 failed: exit-code");
    assertThat(standings()).containsExactly(Standing.FAILED, Standing.WAITS, Standing.WAITS);
    assertThat(starts()).containsExactly(2L, 1L, 1L);

    change(OperationChange.RESUME);

    machine(2).running(start(2, 2));
    machine(3).running(start(3, 2));
    await(() -> stage() == Stage.DONE);
    assertThat(standings()).containsExactly(Standing.FAILED, Standing.DONE, Standing.DONE);
  }

  @Test
  void whoeverResumesItAcceptsTheFailureThatPausedItAndNoLaterOne() throws Exception {
    runOnThree();
    var _ = cluster.begin(new NewRestart(MON, 3, Duration.ZERO), CALLER);
    Entry all = start(3, 2);
    machine(1).failed(all);
    await(this::isPaused);
    machine(2).activating(all);
    machine(3).activating(all);
    change(OperationChange.RESUME);
    assertThat(isPaused()).isFalse();
    machine(2).failed(all);
    await(this::isPaused);
    assertThat(progress().operation().reason())
        .isEqualTo("mon.service on machine m2 failed: exit-code");
    change(OperationChange.RESUME);
    machine(3).running(all);
    await(() -> stage() == Stage.DONE);
  }

  /** Machines pass over a start that they have had. */
  @Test
  void afterACancelledOneEachMachineIsRestartedByTheNext() throws Exception {
    runOnThree();
    var _ = restart();
    machine(1).running(start(1, 2));
    Entry second = start(2, 2);
    change(OperationChange.CANCEL);
    await(() -> stage() == Stage.CANCELLED && starts().equals(List.of(1L, 1L, 1L)));
    assertThat(standings()).containsExactly(Standing.DONE, Standing.DONE, Standing.WAITS);
    machine(2).running(second);
    var _ = cluster.restart(MON, CALLER);
    for (int number : List.of(1, 2, 3)) {
      machine(number).running(start(number, 3));
    }
    assertThat(restart()).isEqualTo(RestartResult.STARTED);
    machine(1).failed(start(1, 4));
    await(this::isPaused);
    assertThat(restart()).as("a paused one gives way").isEqualTo(RestartResult.STARTED);
    await(() -> starts().equals(List.of(5L, 3L, 3L)));
  }

  @Test
  void theNextLeaderGoesOn() throws Exception {
    runOnThree();
    var _ = restart();
    machine(1).running(start(1, 2));
    Entry second = start(2, 2);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    assertThat(starts()).containsExactly(2L, 2L, 1L);
    machine(2).running(second);
    machine(3).running(start(3, 2));
    await(() -> stage() == Stage.DONE && entry().update().isEmpty());
    assertThat(unit().restartCounter()).isEqualTo(2);
  }

  @Test
  void aMachineThatIsLostIsNotWaitedForAndRestartsWhenItComesBack() throws Exception {
    runOnThree();
    var _ = restart();
    machine(1).running(start(1, 2));
    var _ = start(2, 2);
    machine(2).silent();
    machine(3).running(start(3, 2));
    await(() -> stage() == Stage.DONE);
    machine(2).present(Map.of(), Isolation.KEEP);
    var _ = start(2, 2);
  }

  /** They would all restart at the same moment when they come back. */
  @Test
  void whileManyMachinesHaveVanishedNoFurtherOneHasItsTurn() throws Exception {
    runOnThree();
    var _ = restart();
    Entry first = start(1, 2);
    machine(2).silent();
    machine(3).silent();
    await(() -> cluster.absences().pause().isPresent() && cluster.machines().size() == 1);
    machine(1).running(first);
    await(() -> standings().equals(List.of(Standing.PROVING)));
    leaderHasGoneOn();
    assertThat(progress().waitsFor()).contains("2 of 3 machines vanished at once");
    assertThat(stage()).isEqualTo(Stage.FORWARD);
    assertThat(starts()).containsExactly(2L, 1L, 1L);
    for (int number : List.of(2, 3)) {
      machine(number)
          .present(Map.of(), Isolation.KEEP)
          .running(registry.get(Keys.global(MON)).orElseThrow());
    }
    machine(2).running(start(2, 2));
    assertThat(starts()).containsExactly(2L, 2L, 1L);
    assertThat(cluster.absences().pause()).isEmpty();
    machine(3).running(start(3, 2));
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void onceAPauseIsOverTheMachinesThatAreLostAreNotWaitedFor() throws Exception {
    runOnThree();
    var _ = restart();
    Entry first = start(1, 2);
    machine(2).silent();
    machine(3).silent();
    await(() -> cluster.absences().pause().isPresent());
    machine(1).running(first);
    await(() -> standings().equals(List.of(Standing.PROVING)));
    await(() -> cluster.resume(CALLER));
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void aMachineThatMayComeBackIsWaitedFor() throws Exception {
    runOnThree();
    machine(2).present(Map.of(), Isolation.STOP);
    await(() -> cluster.machines().get(1).machine().isolation() == Isolation.STOP);
    var _ = restart();
    Entry first = start(1, 2);
    machine(2).silent();
    await(() -> cluster.machines().size() == 2);
    machine(1).running(first);
    await(() -> standings().contains(Standing.PROVING));
    leaderHasGoneOn();
    assertThat(progress().waitsFor())
        .contains("machine m2 is not there; the leader waits for it until");
    assertThat(starts()).containsExactly(2L, 1L, 1L);
    skipUntil(GRACE, () -> starts().equals(List.of(2L, 2L, 2L)));
  }

  @Test
  void whoeverStartsReplacesOrStopsItMeanwhileEndsIt() throws Exception {
    runOnThree();
    var _ = restart();
    machine(1).running(start(1, 2));
    var _ = start(2, 2);
    var _ = cluster.restart(MON, new Caller("user b"));
    await(() -> stage() == Stage.CANCELLED && starts().equals(List.of(3L, 3L, 3L)));
    assertThat(progress().operation().reason())
        .isEqualTo("mon.service was replaced or started again by user b");
    machines.forEach(one -> one.running(registry.get(Keys.global(MON)).orElseThrow()));
    assertThat(restart()).isEqualTo(RestartResult.STARTED);
    var _ = start(1, 4);
    var _ = cluster.put(MON, Optional.empty(), Optional.of(DesiredState.LOADED), CALLER);
    await(() -> stage() == Stage.CANCELLED);
    assertThat(progress().operation().reason())
        .isEqualTo("mon.service is loaded now, as user a asked");
    assertThat(restart()).isEqualTo(RestartResult.NOT_LAUNCHED);
    var _ = cluster.put(MON, Optional.empty(), Optional.of(DesiredState.LAUNCHED), CALLER);
    assertThat(unit().restartCounter()).as("no machine has had it").isEqualTo(5);
  }

  @Test
  void aMachineThatRefusesTheUnitHasNothingToRestart() throws Exception {
    runOnThree();
    machine(1).refused(start(1, 1), "systemd knows it from /etc");
    await(() -> cluster.states(MON).size() == 2);
    var _ = restart();
    machine(2).running(start(2, 2));
    machine(3).running(start(3, 2));
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void aRolloutAndARestartExcludeEachOther() throws Exception {
    runOnThree();
    var rollout = new NewRollout(MON, file("/bin/sleep 2000"), 1, Duration.ZERO, 0, Set.of());
    var _ = restart();
    assertThat(cluster.begin(rollout, CALLER)).isEqualTo(RolloutResult.RESTARTING);
    change(OperationChange.CANCEL);
    assertThat(cluster.begin(rollout, CALLER)).isEqualTo(RolloutResult.STARTED);
    assertThat(restart()).isEqualTo(RestartResult.ROLLOUT_UNDER_WAY);
  }

  @Test
  void onlyAGlobalUnitIsRestartedSo() throws Exception {
    assertThat(restart()).isEqualTo(RestartResult.UNKNOWN);
    UnitFile alone = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    var _ = cluster.put(MON, Optional.of(alone), Optional.of(DesiredState.LAUNCHED), CALLER);
    assertThat(restart()).isEqualTo(RestartResult.NOT_GLOBAL);
  }
}
