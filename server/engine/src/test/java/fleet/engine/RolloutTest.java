package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.Caller;
import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.EventsFrom;
import fleet.cluster.NewRollout;
import fleet.cluster.OperationChanged;
import fleet.cluster.OperationProgress;
import fleet.cluster.OperationProgress.Standing;
import fleet.cluster.OperationProgress.Step;
import fleet.cluster.PutResult;
import fleet.cluster.RolloutResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.machine.Isolation;
import fleet.core.operation.Operation;
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
import fleet.registry.records.UnitRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Units get another content a few at a time, and back what they had if one does not do well. */
class RolloutTest extends LedClusterTest {

  private static final Caller CALLER = new Caller("user a");
  private static final UnitName TEMPLATE = UnitName.of("web@.service");
  private static final UnitName FIRST = UnitName.of("web@1.service");
  private static final UnitName SECOND = UnitName.of("web@2.service");
  private static final UnitFile OLD = file("/bin/sleep 1000");
  private static final UnitFile NEW = file("/bin/sleep 2000");

  /** How long a unit with new content must do well. */
  private static final Duration HEALTHY = Duration.ofMinutes(5);

  private StoredMachine machine = new StoredMachine(store, registry, "m1");

  private static UnitFile file(String command) {
    try {
      return UnitFile.parse("[Service]\nExecStart=" + command + "\n");
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private void runTwo() throws Exception {
    machine = new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP);
    var _ = cluster.put(TEMPLATE, Optional.of(OLD), Optional.of(DesiredState.INACTIVE), CALLER);
    for (UnitName unit : List.of(FIRST, SECOND)) {
      var _ = cluster.put(unit, Optional.of(OLD), Optional.of(DesiredState.LAUNCHED), CALLER);
      machine.running(machine.awaitTarget(unit, TargetState.LAUNCHED));
    }
  }

  private List<String> contents(UnitName unit) {
    return cluster.history(unit, Set.of()).stream()
        .map(one -> one.number() + " " + one.cause() + " " + one.hash())
        .toList();
  }

  private RolloutResult rollOut(Duration healthy) {
    return cluster.begin(new NewRollout(TEMPLATE, NEW, 1, healthy, 0, Set.of()), CALLER);
  }

  @Test
  void eachIsReplacedOnceTheOneBeforeDoesWellAndTheTemplateLast() throws Exception {
    runTwo();
    try (var events = cluster.follow(EventsFrom.NOW)) {
      assertThat(rollOut(HEALTHY)).isEqualTo(RolloutResult.STARTED);
      assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.FOLLOWED);
      var another = new NewRollout(TEMPLATE, file("/bin/another"), 1, HEALTHY, 0, Set.of());
      assertThat(cluster.begin(another, CALLER)).isEqualTo(RolloutResult.UNDER_WAY);
      Entry first = startedAgain(FIRST);
      assertThat(hash(SECOND)).isEqualTo(OLD.hash());
      assertThat(standings()).containsExactly(Standing.WAITS, Standing.STARTING, Standing.WAITS);
      machine.running(first);
      await(() -> standings().contains(Standing.PROVING));
      assertThat(hash(SECOND)).isEqualTo(OLD.hash());
      skipUntil(HEALTHY, () -> hash(SECOND).equals(NEW.hash()));
      machine.running(startedAgain(SECOND));
      await(() -> standings().contains(Standing.PROVING));
      skipUntil(HEALTHY, () -> stage() == Stage.DONE);
      assertThat(hash(TEMPLATE)).isEqualTo(NEW.hash());
      assertThat(standings()).containsOnly(Standing.DONE);
      assertThat(LedCluster.eventsUpTo(events, told("", "is done")))
          .contains(
              told("user a", "began: 3 units, healthy after 300 s, at most 1 down at a time"));
    }
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.NOTHING_TO_DO);
    assertThat(registry.get(Keys.file(NEW.sha256()))).isPresent();
    assertThat(contents(FIRST))
        .containsExactly("2 rollout " + NEW.hash(), "1 submit " + OLD.hash());
    assertThat(contents(TEMPLATE)).isEqualTo(contents(FIRST));
    assertThat(registry.get(Keys.file(OLD.sha256()))).isPresent();
  }

  @Test
  void unitsThatAreLeftOutKeepTheirContent() throws Exception {
    runTwo();
    var wanted = new NewRollout(TEMPLATE, NEW, 1, Duration.ZERO, 0, Set.of(FIRST));
    assertThat(cluster.begin(wanted, CALLER)).isEqualTo(RolloutResult.STARTED);
    machine.running(startedAgain(SECOND));
    await(() -> stage() == Stage.DONE);
    assertThat(hash(FIRST)).isEqualTo(OLD.hash());
    assertThat(hash(TEMPLATE)).isEqualTo(NEW.hash());
  }

  @Test
  void whereOneFailsAllGetBackWhatTheyHad() throws Exception {
    runTwo();
    for (UnitName unit : List.of(TEMPLATE, FIRST, SECOND)) {
      var put =
          new UnitPut(unit, Optional.empty(), Optional.empty(), List.of(), Optional.of("shop"));
      assertThat(cluster.put(List.of(put), CALLER)).containsExactly(PutResult.UPDATED);
    }
    var _ = rollOut(Duration.ZERO);
    machine.running(startedAgain(FIRST));
    machine.failed(startedAgain(SECOND));
    Entry second = startedAgain(SECOND, OLD);
    assertThat(stage()).isEqualTo(Stage.BACK);
    assertThat(hash(FIRST)).isEqualTo(NEW.hash());
    assertThat(cluster.unit(FIRST).orElseThrow().set()).isEqualTo("shop");
    machine.running(second);
    machine.running(startedAgain(FIRST, OLD));
    await(() -> stage() == Stage.UNDONE);
    assertThat(rollout().operation().reason())
        .isEqualTo("web@2.service failed on machine m1: exit-code");
    assertThat(hash(TEMPLATE)).isEqualTo(OLD.hash());
    assertThat(contents(FIRST))
        .containsExactly("3 rollout undo " + OLD.hash(), "2 rollout " + NEW.hash());
    assertThat(contents(TEMPLATE)).containsExactly("1 submit " + OLD.hash());
    assertThat(cluster.units()).extracting(UnitView::set).containsOnly("shop");
  }

  @Test
  void commentsComeAndGoWithTheContent() throws Exception {
    runTwo();
    UnitFile mine = UnitFile.typed("# mine\n" + OLD.render());
    UnitFile theirs = UnitFile.typed("# theirs\n" + NEW.render());
    assertThat(cluster.put(SECOND, Optional.of(mine), Optional.empty(), CALLER))
        .isEqualTo(PutResult.UPDATED);
    var _ = cluster.begin(new NewRollout(TEMPLATE, theirs, 1, Duration.ZERO, 0, Set.of()), CALLER);
    machine.running(startedAgain(FIRST));
    machine.failed(startedAgain(SECOND));
    assertThat(cluster.text(FIRST)).contains(theirs.text());
    machine.running(startedAgain(SECOND, OLD));
    machine.running(startedAgain(FIRST, OLD));
    await(() -> stage() == Stage.UNDONE);
    assertThat(cluster.text(SECOND)).contains(mine.text());
    assertThat(cluster.text(FIRST)).isEmpty();
  }

  @Test
  void oneThatSystemdHadToStartAgainDoesNotDoWell() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ofHours(1));
    machine.restarted(startedAgain(FIRST), 1);
    await(() -> stage() == Stage.BACK);
    assertThat(rollout().operation().reason())
        .isEqualTo("web@1.service was started again by systemd on machine m1, 1 times");
  }

  @Test
  void itIsPausedGoesOnAndGoesBackAsSomebodyAsks() throws Exception {
    runTwo();
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.UNKNOWN);
    var _ = rollOut(Duration.ZERO);
    Entry first = startedAgain(FIRST);
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.CHANGED);
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.ALREADY);
    machine.running(first);
    await(() -> standings().contains(Standing.PROVING));
    assertThat(hash(SECOND)).isEqualTo(OLD.hash());
    assertThat(change(OperationChange.RESUME)).isEqualTo(OperationChanged.CHANGED);
    machine.running(startedAgain(SECOND));
    await(() -> stage() == Stage.DONE);
    assertThat(change(OperationChange.REVERT)).isEqualTo(OperationChanged.UNKNOWN);

    var _ =
        cluster.begin(new NewRollout(TEMPLATE, OLD, 2, Duration.ofHours(1), 0, Set.of()), CALLER);
    machine.running(startedAgain(FIRST, OLD));
    machine.running(startedAgain(SECOND, OLD));
    assertThat(change(OperationChange.REVERT)).isEqualTo(OperationChanged.CHANGED);
    machine.running(startedAgain(FIRST, NEW));
    machine.running(startedAgain(SECOND, NEW));
    await(() -> stage() == Stage.UNDONE);
    assertThat(rollout().operation().reason()).isEqualTo("user a asked for it");
  }

  @Test
  void itPausesAfterItsCanariesUntilItIsPromoted() throws Exception {
    runTwo();
    var _ = cluster.begin(new NewRollout(TEMPLATE, NEW, 2, Duration.ZERO, 1, Set.of()), CALLER);
    machine.running(startedAgain(FIRST));
    await(() -> rollout().operation().paused());
    assertThat(rollout().operation().reason()).isEqualTo(Operation.CANARIES_HEALTHY);
    assertThat(rollout().operation().awaitsPromotion()).isTrue();
    assertThat(hash(SECOND)).isEqualTo(OLD.hash());
    assertThat(change(OperationChange.PROMOTE)).isEqualTo(OperationChanged.CHANGED);
    machine.running(startedAgain(SECOND));
    await(() -> stage() == Stage.DONE);
    assertThat(change(OperationChange.PROMOTE)).isEqualTo(OperationChanged.UNKNOWN);
  }

  @Test
  void oneThatIsCancelledLeavesEachWhatItHas() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ZERO);
    Entry first = startedAgain(FIRST);
    assertThat(change(OperationChange.CANCEL)).isEqualTo(OperationChanged.CHANGED);
    machine.running(first);
    await(() -> standings().contains(Standing.PROVING));
    assertThat(stage()).isEqualTo(Stage.CANCELLED);
    assertThat(rollout().operation().reason()).isEqualTo("user a stopped the rollout");
    assertThat(hash(FIRST)).isEqualTo(NEW.hash());
    assertThat(hash(SECOND)).isEqualTo(OLD.hash());
    assertThat(change(OperationChange.RESUME)).isEqualTo(OperationChanged.UNKNOWN);
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.STARTED);
    machine.running(startedAgain(SECOND));
    await(() -> stage() == Stage.DONE);
  }

  @Test
  void theNextLeaderGoesOnWithWhatIsProven() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ZERO);
    machine.running(startedAgain(FIRST));
    Entry second = startedAgain(SECOND);
    cluster.retire("another leads");
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    lead();
    machine.running(second);
    await(() -> stage() == Stage.DONE);
    assertThat(hash(FIRST)).isEqualTo(NEW.hash());
  }

  @Test
  void oneOfTheSameContentIsFollowedAlsoWhereItIsPausedOrGoesBack() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ofHours(1));
    machine.running(startedAgain(FIRST));
    assertThat(change(OperationChange.PAUSE)).isEqualTo(OperationChanged.CHANGED);
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.FOLLOWED);
    assertThat(change(OperationChange.REVERT)).isEqualTo(OperationChanged.CHANGED);
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.FOLLOWED);
    machine.running(startedAgain(FIRST, OLD));
    await(() -> stage() == Stage.UNDONE);
  }

  @Test
  void anInstanceThatIsDownForAnotherReasonHoldsItUpAndIsNamed() throws Exception {
    runTwo();
    UnitName third = TEMPLATE.instantiate("3");
    var _ = cluster.put(third, Optional.of(NEW), Optional.of(DesiredState.LAUNCHED), CALLER);
    Entry failed = machine.awaitTarget(third, TargetState.LAUNCHED);
    machine.failed(failed);
    var _ = rollOut(Duration.ZERO);
    await(() -> !rollout().waitsFor().isEmpty());
    assertThat(rollout().waitsFor())
        .isEqualTo("at most 1 may be down at a time: web@3.service is failed on machine m1");
    machine.running(failed);
    machine.running(startedAgain(FIRST));
  }

  @Test
  void theNextLeaderChangesNothingBeforeMachinesHadTimeToSpeak() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ZERO);
    Entry first = startedAgain(FIRST);
    machine.running(first);
    await(() -> hash(SECOND).equals(NEW.hash()));
    machine.failed(startedAgain(SECOND));
    await(() -> stage() == Stage.BACK);
    cluster.retire("another leads");
    machine.silent();
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    leadAgain();
    decideOnAnother();
    decideOnAnother();
    assertThat(hash(FIRST)).isEqualTo(NEW.hash());
    assertThat(rollout().waitsFor())
        .startsWith("this leader is new, and machines have until ")
        .endsWith(" to report their units");
  }

  @Test
  void aSingleUnitIsChangedAndWhatIsUnknownOrGlobalIsRefused() throws Exception {
    machine = new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP);
    UnitName lone = UnitName.of("lone.service");
    NewRollout wanted = new NewRollout(lone, NEW, 1, Duration.ZERO, 0, Set.of());
    assertThat(cluster.begin(wanted, CALLER)).isEqualTo(RolloutResult.UNKNOWN);
    var _ = cluster.put(lone, Optional.of(OLD), Optional.of(DesiredState.LAUNCHED), CALLER);
    machine.running(machine.awaitTarget(lone, TargetState.LAUNCHED));
    UnitFile global = UnitFile.parse("[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n");
    assertThat(cluster.begin(new NewRollout(lone, global, 1, Duration.ZERO, 0, Set.of()), CALLER))
        .isEqualTo(RolloutResult.GLOBAL);
    assertThat(cluster.begin(wanted, CALLER)).isEqualTo(RolloutResult.STARTED);
    machine.running(startedAgain(lone));
    await(() -> stage() == Stage.DONE);
    assertThat(cluster.destroy(lone, CALLER)).isTrue();
    await(() -> cluster.operations().isEmpty());
  }

  @Test
  void aDrainStopsNoneOfTheFamilyWhileTheNewContentOfAnotherIsBeingWritten() throws Exception {
    machine = new StoredMachine(store, registry, "m1").present(Map.of(), Isolation.KEEP);
    launch(FIRST);
    machine.running(machine.awaitTarget(FIRST, TargetState.LAUNCHED));
    StoredMachine drained =
        new StoredMachine(store, registry, "m2").present(Map.of(), Isolation.KEEP);
    launch(SECOND);
    drained.running(drained.awaitTarget(SECOND, TargetState.LAUNCHED));
    var _ = cluster.put(TEMPLATE, Optional.of(OLD), Optional.of(DesiredState.INACTIVE), CALLER);
    var arrived = new CountDownLatch(1);
    var goesOn = new CountDownLatch(1);
    store.interfere(transaction -> {
      if (transaction.writes().stream().anyMatch(write -> write.key().equals(Keys.unit(FIRST)))) {
        arrived.countDown();
        awaitLatch(goesOn);
      }
      return Optional.empty();
    });
    assertThat(rollOut(Duration.ZERO)).isEqualTo(RolloutResult.STARTED);
    awaitLatch(arrived);

    assertThat(cluster.drain("m2", 1, CALLER)).isTrue();
    await(() -> drainOf(SECOND).standing() != Standing.NEXT);
    assertThat(drainOf(SECOND).detail())
        .contains("at most 1 of its instances", FIRST + " is leaving");
    goesOn.countDown();

    Entry first = startedAgain(FIRST);
    assertThat(drainOf(SECOND).standing()).isEqualTo(Standing.WAITS);
    machine.running(first);
    drained.awaitTarget(SECOND, TargetState.STOPPING);
  }

  private void launch(UnitName unit) {
    var _ = cluster.put(unit, Optional.of(OLD), Optional.of(DesiredState.LAUNCHED), CALLER);
  }

  private Step drainOf(UnitName unit) {
    return cluster.operation(OperationId.drain("m2")).orElseThrow().steps().stream()
        .filter(one -> one.unit().equals(unit))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatSomebodyElseChangesIsLeftAlone() throws Exception {
    runTwo();
    var _ = rollOut(Duration.ofHours(1));
    machine.running(startedAgain(FIRST));
    UnitFile third = file("/bin/sleep 3000");
    var _ = cluster.put(SECOND, Optional.of(third), Optional.of(DesiredState.LAUNCHED), CALLER);
    await(() -> standings().contains(Standing.EXEMPT));
    assertThat(change(OperationChange.REVERT)).isEqualTo(OperationChanged.CHANGED);
    machine.running(startedAgain(SECOND, third));
    machine.running(startedAgain(FIRST, OLD));
    await(() -> stage() == Stage.UNDONE);
    assertThat(hash(SECOND)).isEqualTo(third.hash());
  }

  // ---- means

  /** Shows that the engine has come so far. */
  private void decideOnAnother() throws Exception {
    UnitName another = UnitName.of("another-" + cluster.units().size() + ".service");
    var _ = cluster.put(another, Optional.of(OLD), Optional.of(DesiredState.LAUNCHED), CALLER);
    var _ = LedCluster.awaitView(cluster, another, view -> !view.waiting().isEmpty());
  }

  private Entry startedAgain(UnitName unit) throws Exception {
    return startedAgain(unit, NEW);
  }

  /** The machine is told to start the unit with that content, in place of what it had. */
  private Entry startedAgain(UnitName unit, UnitFile file) throws Exception {
    await(() -> hash(unit).equals(file.hash()));
    return machine.awaitContent(unit, file.hash());
  }

  private String hash(UnitName unit) {
    return UnitRecord.of(registry.get(Keys.unit(unit)).orElseThrow()).hash();
  }

  private OperationChanged change(OperationChange change) {
    return cluster.change(OperationId.rollout(TEMPLATE), change, CALLER);
  }

  /** Asked for twice, so that the leader has looked at what the first answer shows. */
  private OperationProgress rollout() {
    OperationId id =
        cluster.operations().stream()
            .map(progress -> progress.operation().id())
            .filter(one -> one.kind() == OperationId.Kind.ROLLOUT)
            .findFirst()
            .orElseThrow();
    return cluster.operation(id).orElseThrow();
  }

  private Stage stage() {
    return rollout().operation().stage();
  }

  private List<Standing> standings() {
    return rollout().steps().stream().map(Step::standing).toList();
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    Await.until(condition, () -> cluster.operations() + " " + cluster.units());
  }

  private static Event.Body told(String by, String what) {
    return Event.Body.of(OperationId.rollout(TEMPLATE), new Cause(by, what));
  }
}
