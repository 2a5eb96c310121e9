package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import fleet.cluster.Caller;
import fleet.cluster.NewRollout;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.PutResult;
import fleet.cluster.RolloutResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitRevision;
import fleet.core.machine.Isolation;
import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
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

/** A global unit gets another content on one machine after the other. */
class GlobalRolloutTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName MON = UnitName.of("mon.service");
  private static final UnitFile OLD = file("/bin/sleep 1000", "");
  private static final UnitFile NEW = file("/bin/sleep 2000", "");

  private List<StoredMachine> machines = List.of();

  private static UnitFile file(String command, String asked) {
    try {
      return UnitFile.parse(
          "[Service]\nExecStart=" + command + "\n[X-Fleet]\nGlobal=true\n" + asked);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private StoredMachine machine(int number) {
    return machines.get(number - 1);
  }

  private void runOnThree() throws Exception {
    machines =
        Stream.of("m1", "m2", "m3")
            .map(id -> new StoredMachine(store, registry, id).present(Map.of(), Isolation.KEEP))
            .toList();
    var _ = cluster.put(MON, Optional.of(OLD), Optional.of(DesiredState.LAUNCHED), CALLER);
    for (StoredMachine one : machines) {
      one.running(one.awaitGlobal(MON, OLD.hash()));
    }
    await(() -> cluster.states(MON).size() == 3);
  }

  private RolloutResult rollOut(Duration healthy) {
    return cluster.begin(new NewRollout(MON, NEW, 1, healthy, 0, Set.of()), CALLER);
  }

  private Entry isNewOn(int number) throws Exception {
    return machine(number).awaitGlobal(MON, NEW.hash());
  }

  private Entry isOldOn(int number) throws Exception {
    return machine(number).awaitGlobal(MON, OLD.hash());
  }

  private OperationProgress rollout() {
    return cluster.operation(OperationId.rollout(MON)).orElseThrow();
  }

  private Stage stage() {
    return rollout().operation().stage();
  }

  private List<Standing> standings() {
    return rollout().steps().stream().map(Step::standing).toList();
  }

  private OperationChanged change(OperationChange change) {
    return cluster.change(OperationId.rollout(MON), change, CALLER);
  }

  private ScheduleRecord entry() {
    return ScheduleRecord.of(registry.get(Keys.global(MON)).orElseThrow());
  }

  private static void await(BooleanSupplier condition) throws Exception {
    Await.until(condition);
  }

  @Test
  void oneMachineFollowsTheOtherAndNothingStartsAgainAtTheEnd() throws Exception {
    runOnThree();
    var set = Optional.of("shop");
    var put = new UnitPut(MON, Optional.empty(), Optional.empty(), List.of(), set);
    assertThat(cluster.put(List.of(put), CALLER)).containsExactly(PutResult.UPDATED);
    assertThat(rollOut(Duration.ofMinutes(5))).isEqualTo(RolloutResult.STARTED);
    machine(1).running(isNewOn(1));
    await(() -> standings().equals(List.of(Standing.PROVING, Standing.WAITS, Standing.WAITS)));
    assertThat(entry().on("m2").hash()).isEqualTo(OLD.hash());
    skipUntil(Duration.ofMinutes(5), () -> entry().on("m2").hash().equals(NEW.hash()));
    machine(2).running(isNewOn(2));
    await(() -> standings().equals(List.of(Standing.DONE, Standing.PROVING, Standing.WAITS)));
    skipUntil(Duration.ofMinutes(5), () -> entry().on("m3").hash().equals(NEW.hash()));
    Entry last = isNewOn(3);
    machine(3).running(last);
    await(() -> standings().contains(Standing.PROVING));
    skipUntil(Duration.ofMinutes(5), () -> stage() == Stage.DONE && entry().update().isEmpty());
    assertThat(standings()).containsOnly(Standing.DONE);
    for (String id : List.of("m1", "m2", "m3", "m4")) {
      ScheduleRecord now = entry().on(id);
      ScheduleRecord before = ScheduleRecord.of(last).on("m3");
      assertThat(now.incarnation()).isEqualTo(before.incarnation());
      assertThat(now.restartCounter()).isEqualTo(before.restartCounter());
    }
    assertThat(unit().hash()).isEqualTo(NEW.hash());
    assertThat(unit().set()).isEqualTo("shop");
    assertThat(cluster.history(MON, Set.of(1L)))
        .extracting(UnitRevision::cause, UnitRevision::file)
        .containsExactly(tuple("rollout", Optional.empty()), tuple("submit", Optional.of(OLD)));
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.NOTHING_TO_DO);
  }

  private UnitRecord unit() {
    return UnitRecord.of(registry.get(Keys.unit(MON)).orElseThrow());
  }

  @Test
  void ifItFailsOnOneTheOthersGetBackWhatTheyHadAndTheRestAreNotTouched() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    machine(2).failed(isNewOn(2));
    machine(2).running(isOldOn(2));
    machine(1).running(isOldOn(1));
    await(() -> stage() == Stage.UNDONE && entry().update().isEmpty());
    assertThat(rollout().operation().reason())
        .isEqualTo("mon.service on machine m2 failed: exit-code");
    assertThat(unit().hash()).isEqualTo(OLD.hash());
  }

  @Test
  void aMachineThatRefusesItEndsItAsWell() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ZERO);
    machine(1).refused(isNewOn(1), "systemd knows it from /etc");
    machine(1).running(isOldOn(1));
    await(() -> stage() == Stage.UNDONE);
    assertThat(rollout().operation().reason())
        .isEqualTo("mon.service on machine m1 is refused: systemd knows it from /etc");
  }

  @Test
  void theNextLeaderGoesOn() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    Entry second = isNewOn(2);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    machine(2).running(second);
    machine(3).running(isNewOn(3));
    await(() -> stage() == Stage.DONE && entry().update().isEmpty());
    assertThat(entry().hash()).isEqualTo(NEW.hash());
  }

  @Test
  void aMachineThatIsAwayIsNotWaitedForAndGetsWhatTheOthersHave() throws Exception {
    runOnThree();
    machine(2).silent();
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    Entry third = isNewOn(3);
    assertThat(ScheduleRecord.of(third).on("m2").hash()).as("it may come").isEqualTo(NEW.hash());
    machine(2).present(Map.of(), Isolation.KEEP);
    machine(3).running(third);
    await(() -> standings().equals(List.of(Standing.DONE, Standing.STARTING, Standing.PROVING)));
    machine(2).running(third);
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void aMachineWhereItIsDownAlreadyIsCuredInItsTurn() throws Exception {
    runOnThree();
    machine(3).failed(isOldOn(3));
    await(() -> cluster.states(MON).stream().anyMatch(state -> state.systemd().isFailed()));
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    machine(2).running(isNewOn(2));
    machine(3).running(isNewOn(3));
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void aMachineThatFailsLaterIsRevertedWithTheOthers() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    machine(2).running(isNewOn(2));
    machine(1).failed(isNewOn(1));
    await(() -> stage() == Stage.BACK);
    machine(2).running(isOldOn(2));
    machine(1).running(isOldOn(1));
    await(() -> stage() == Stage.UNDONE);
  }

  @Test
  void whoeverReplacesOrStartsItMeanwhileEndsTheRollout() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ZERO);
    machine(1).running(isNewOn(1));
    Entry second = isNewOn(2);
    UnitFile third = file("/bin/sleep 3000", "");
    var _ = cluster.put(MON, Optional.of(third), Optional.of(DesiredState.LAUNCHED), CALLER);
    await(() -> stage() == Stage.CANCELLED && entry().update().isEmpty());
    machine(2).running(second);
    assertThat(entry().hash()).isEqualTo(third.hash());
    assertThat(rollout().operation().reason())
        .isEqualTo("mon.service was replaced or started again by user a");
  }

  @Test
  void itPausesAfterItsCanariesAndCannotBeLeftHalf() throws Exception {
    runOnThree();
    var _ = cluster.begin(new NewRollout(MON, NEW, 2, Duration.ZERO, 1, Set.of()), CALLER);
    machine(1).running(isNewOn(1));
    await(() -> rollout().operation().paused());
    assertThat(rollout().operation().reason()).isEqualTo(Operation.CANARIES_HEALTHY);
    assertThat(entry().on("m2").hash()).isEqualTo(OLD.hash());
    var another = new NewRollout(MON, file("/bin/sleep 3000", ""), 1, Duration.ZERO, 0, Set.of());
    assertThat(cluster.begin(another, CALLER))
        .as("all machines would lose the content that they have, at once")
        .isEqualTo(RolloutResult.UNDER_WAY);
    assertThat(change(OperationChange.PROMOTE)).isEqualTo(OperationChanged.CHANGED);
    machine(2).running(isNewOn(2));
    var _ = isNewOn(3);
    assertThat(change(OperationChange.CANCEL)).isEqualTo(OperationChanged.CHANGED);
    assertThat(stage()).as("a global unit has one content in the end").isEqualTo(Stage.BACK);
    for (int number : List.of(3, 2, 1)) {
      machine(number).running(isOldOn(number));
    }
    await(() -> stage() == Stage.UNDONE && entry().update().isEmpty());
  }

  @Test
  void aUnitThatIsStoppedMeanwhileIsChangedEverywhere() throws Exception {
    runOnThree();
    var _ = rollOut(Duration.ofHours(1));
    var _ = isNewOn(1);
    var _ = cluster.put(MON, Optional.empty(), Optional.of(DesiredState.LOADED), CALLER);
    await(() -> stage() == Stage.DONE);
    assertThat(unit().hash()).isEqualTo(NEW.hash());
    assertThat(unit().desired()).isEqualTo(DesiredState.LOADED);
  }

  // ---- a content that asks something else of machines

  private static final UnitFile ELSEWHERE = file("/bin/sleep 1000", "MachineMetadata=region=us\n");

  private static final UnitFile THERE = file("/bin/sleep 2000", "MachineMetadata=region=eu\n");

  /** The old content runs on m1 and m3, and the new one is for m2 and m3. */
  private void runOnTwoOfThree() throws Exception {
    machines =
        Stream.of("m1", "m2", "m3").map(id -> new StoredMachine(store, registry, id)).toList();
    machine(1).present(Map.of("region", "us"), Isolation.KEEP);
    machine(2).present(Map.of("region", "eu"), Isolation.KEEP);
    machine(3).present(Map.of("region", "us"), Isolation.KEEP);
    var _ = cluster.put(MON, Optional.of(ELSEWHERE), Optional.of(DesiredState.LAUNCHED), CALLER);
    for (StoredMachine one : List.of(machine(1), machine(3))) {
      one.running(one.awaitGlobal(MON, ELSEWHERE.hash()));
    }
    await(() -> cluster.runsOn(MON).equals(List.of("m1", "m3")));
    await(() -> cluster.states(MON).size() == 2);
    var rollout = new NewRollout(MON, THERE, 1, Duration.ofMinutes(5), 0, Set.of());
    assertThat(cluster.begin(rollout, CALLER)).isEqualTo(RolloutResult.STARTED);
  }

  @Test
  void machinesThatFitNoLongerStopItAndOthersStartItInTurns() throws Exception {
    runOnTwoOfThree();
    Entry first = machine(1).awaitGlobal(MON, THERE.hash());
    await(() -> standings().equals(List.of(Standing.STARTING, Standing.WAITS, Standing.WAITS)));
    assertThat(cluster.runsOn(MON)).containsExactly("m3");
    assertThat(entry().on("m2").hash()).isEqualTo(ELSEWHERE.hash());
    machine(1).gone(first);
    Entry second = machine(2).awaitGlobal(MON, THERE.hash());
    assertThat(cluster.runsOn(MON)).containsExactly("m2", "m3");
    machine(2).running(second);
    await(() -> standings().equals(List.of(Standing.DONE, Standing.PROVING, Standing.WAITS)));
    skipUntil(Duration.ofMinutes(5), () -> entry().on("m3").hash().equals(THERE.hash()));
    assertThat(cluster.runsOn(MON)).containsExactly("m2");
    machine(3).gone(machine(3).awaitGlobal(MON, THERE.hash()));
    await(() -> stage() == Stage.DONE && entry().update().isEmpty());
    assertThat(unit().hash()).isEqualTo(THERE.hash());
    assertThat(cluster.runsOn(MON)).containsExactly("m2");
  }

  @Test
  void aFailureWhereItNewlyFitsBringsItBackToMachinesThatHadIt() throws Exception {
    runOnTwoOfThree();
    machine(1).gone(machine(1).awaitGlobal(MON, THERE.hash()));
    machine(2).failed(machine(2).awaitGlobal(MON, THERE.hash()));
    Entry back = machine(2).awaitGlobal(MON, ELSEWHERE.hash());
    await(() -> stage() == Stage.BACK);
    assertThat(entry().on("m1").hash()).isEqualTo(THERE.hash());
    machine(2).gone(back);
    machine(1).running(machine(1).awaitGlobal(MON, ELSEWHERE.hash()));
    await(() -> stage() == Stage.UNDONE);
    assertThat(cluster.runsOn(MON)).containsExactly("m1", "m3");
    assertThat(unit().hash()).isEqualTo(ELSEWHERE.hash());
  }

  /** It would stop everywhere, one machine after the other, and nothing would show a failure. */
  @Test
  void aContentThatFitsNoMachineStopsTheUnitNowhere() throws Exception {
    runOnThree();
    UnitFile nowhere = file("/bin/sleep 2000", "MachineMetadata=region=eo\n");
    assertThat(cluster.begin(new NewRollout(MON, nowhere, 1, Duration.ZERO, 0, Set.of()), CALLER))
        .isEqualTo(RolloutResult.STARTED);
    await(() -> stage().isOver());
    assertThat(stage()).isEqualTo(Stage.UNDONE);
    assertThat(rollout().operation().reason())
        .isEqualTo("the new content fits no machine that is there");
    assertThat(unit().hash()).isEqualTo(OLD.hash());
    assertThat(cluster.runsOn(MON)).containsExactly("m1", "m2", "m3");
  }

  @Test
  void whatCannotBeRolledOutIsRefused() throws Exception {
    runOnThree();
    UnitFile alone = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    assertThat(cluster.begin(new NewRollout(MON, alone, 1, Duration.ZERO, 0, Set.of()), CALLER))
        .isEqualTo(RolloutResult.GLOBAL);
    var _ = cluster.put(MON, Optional.empty(), Optional.of(DesiredState.INACTIVE), CALLER);
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.NOT_WANTED);
  }
}
