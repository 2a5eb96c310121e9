package fleet.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.unit.UnitName;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.engine.decide.RolloutUnit.Content;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolloutReconciliationTest {

  private static final UnitName TEMPLATE = UnitName.of("web@.service");
  private static final Duration HEALTHY = Duration.ofSeconds(10);
  private static final Condition UP = up(0);
  private static final Condition COMING = new Condition.Coming("is being started on machine m");
  private static final Condition BAD = new Condition.Bad("failed on machine m: exit-code");

  private final List<RolloutUnit> units = new ArrayList<>();
  private Operation rollout =
      new Operation(OperationId.rollout(TEMPLATE), "user a", Instant.EPOCH, "", 1);

  private static Condition up(int seconds) {
    return new Condition.Up("is active on machine m", Duration.ofSeconds(seconds));
  }

  private static Condition noPlace(int seconds) {
    return new Condition.NoPlace("no machine fits", Duration.ofSeconds(seconds));
  }

  private void unit(int number, Content content, Condition condition, boolean proven) {
    boolean down = !(condition instanceof Condition.Up || condition instanceof Condition.Idle);
    units.add(new RolloutUnit(instance(number), "old" + number, content, condition, down, proven));
  }

  private static UnitName instance(int number) {
    return TEMPLATE.instantiate(String.valueOf(number));
  }

  private void atMost(int unavailable) {
    rollout = rollout.withMaxUnavailable(unavailable);
  }

  private int canaries;

  private RolloutReconciliation reconciliation(UnitName... othersDown) {
    return new RolloutReconciliation(record(), units, Set.of(othersDown));
  }

  private RolloutRecord record() {
    return new RolloutRecord(rollout, "hash", "new", HEALTHY, Map.of(), canaries);
  }

  private OperationStep enter(Stage stage, String told, String why) {
    return OperationStep.Write.enter(record(), stage, told, why);
  }

  private OperationStep next(UnitName... othersDown) {
    return reconciliation(othersDown).next();
  }

  private static OperationStep forward(int number) {
    return new OperationStep.Replace(instance(number), "old" + number, "new");
  }

  private static OperationStep back(int number) {
    return new OperationStep.Replace(instance(number), "new", "old" + number);
  }

  private static OperationStep waits() {
    return new OperationStep.Wait(Optional.empty());
  }

  @Test
  void oneAfterTheOtherGetsTheNewContent() {
    unit(1, Content.BEFORE, UP, false);
    unit(2, Content.BEFORE, UP, false);
    assertThat(next()).isEqualTo(forward(1));
    units.removeFirst();
    units.addFirst(new RolloutUnit(instance(1), "old1", Content.NEW, COMING, true, false));
    assertThat(next()).isEqualTo(waits());
    units.set(0, new RolloutUnit(instance(1), "old1", Content.NEW, up(4), false, false));
    assertThat(next()).isEqualTo(new OperationStep.Wait(Optional.of(Duration.ofSeconds(6))));
    units.set(0, new RolloutUnit(instance(1), "old1", Content.NEW, up(10), false, false));
    assertThat(next())
        .isEqualTo(new OperationStep.Write(record().withProven(Set.of(instance(1))), ""));
    units.set(0, new RolloutUnit(instance(1), "old1", Content.NEW, up(10), false, true));
    assertThat(next()).isEqualTo(forward(2));
  }

  @Test
  void itPausesOnceItsCanariesAreProven() {
    canaries = 2;
    atMost(3);
    unit(1, Content.NEW, new Condition.Idle("has ended"), false);
    unit(2, Content.NEW, up(4), false);
    unit(3, Content.BEFORE, UP, false);
    unit(4, Content.BEFORE, UP, false);
    assertThat(next()).as("a unit that need not run shows nothing").isEqualTo(forward(3));
    units.set(2, new RolloutUnit(instance(3), "old3", Content.NEW, up(4), false, true));
    assertThat(next()).isEqualTo(new OperationStep.Wait(Optional.of(Duration.ofSeconds(6))));
    assertThat(reconciliation().heldUpBy()).isEmpty();
    units.set(1, new RolloutUnit(instance(2), "old2", Content.NEW, up(10), false, true));
    var paused = (OperationStep.Write) next();
    assertThat(paused.now()).isEqualTo(record().withCanariesProven());
    rollout = paused.now().operation();
    canaries = 0;
    assertThat(next()).isEqualTo(waits());
    rollout = paused.now().after(OperationChange.PROMOTE, "a").operation();
    assertThat(rollout.reason()).isEmpty();
    assertThat(next()).isEqualTo(forward(4));
  }

  @Test
  void canariesThatFailAreReverted() {
    canaries = 1;
    unit(1, Content.NEW, new Condition.Bad("failed"), false);
    unit(2, Content.BEFORE, UP, false);
    assertThat(next()).isEqualTo(enter(Stage.BACK, "is being reverted", "web@1.service failed"));
  }

  @Test
  void asManyAtATimeAsMayBeDownWhateverTheReason() {
    unit(1, Content.NEW, COMING, false);
    unit(2, Content.BEFORE, UP, false);
    unit(3, Content.BEFORE, UP, false);
    assertThat(next()).isEqualTo(waits());
    atMost(2);
    assertThat(next()).isEqualTo(forward(2));
    assertThat(next(instance(7))).isEqualTo(waits());
  }

  @Test
  void thoseThatAreDownComeFirstAndCostNothing() {
    unit(1, Content.BEFORE, UP, false);
    unit(2, Content.BEFORE, BAD, false);
    assertThat(next()).isEqualTo(forward(2));
  }

  @Test
  void whatNeedNotRunIsChangedAtOnceAndTheTemplateLast() {
    units.add(
        new RolloutUnit(
            TEMPLATE, "old", Content.BEFORE, new Condition.Idle("stays inactive"), false, false));
    unit(1, Content.BEFORE, new Condition.Idle("stays loaded"), false);
    assertThat(next()).isEqualTo(forward(1));
    units.set(
        1,
        new RolloutUnit(instance(1), "old1", Content.NEW, units.get(1).condition(), false, false));
    assertThat(next()).isEqualTo(new OperationStep.Replace(TEMPLATE, "old", "new"));
    units.set(
        0,
        new RolloutUnit(TEMPLATE, "old", Content.NEW, units.getFirst().condition(), false, false));
    assertThat(next()).isEqualTo(enter(Stage.DONE, "is done", ""));
  }

  @Test
  void oneThatDoesNotDoWellTurnsItBack() {
    unit(1, Content.NEW, UP, true);
    unit(2, Content.NEW, BAD, false);
    unit(3, Content.BEFORE, UP, false);
    String why = "web@2.service failed on machine m: exit-code";
    assertThat(next()).isEqualTo(enter(Stage.BACK, "is being reverted", why));
    rollout = rollout.withStage(Stage.BACK, why);
    assertThat(next()).isEqualTo(back(2));
    units.set(1, new RolloutUnit(instance(2), "old2", Content.BEFORE, COMING, true, false));
    assertThat(next()).isEqualTo(waits());
    units.set(1, new RolloutUnit(instance(2), "old2", Content.BEFORE, UP, false, false));
    assertThat(next()).isEqualTo(back(1));
    units.set(0, new RolloutUnit(instance(1), "old1", Content.BEFORE, UP, false, true));
    assertThat(next()).isEqualTo(enter(Stage.UNDONE, "is undone", why));
  }

  @Test
  void oneThatFindsNoPlaceForLongTurnsItBack() {
    unit(1, Content.NEW, noPlace(10), false);
    unit(2, Content.BEFORE, UP, false);
    assertThat(next()).isEqualTo(new OperationStep.Wait(Optional.of(Duration.ofSeconds(20))));
    units.set(0, new RolloutUnit(instance(1), "old1", Content.NEW, noPlace(30), true, false));
    assertThat(next())
        .isEqualTo(
            enter(
                Stage.BACK, "is being reverted", "web@1.service finds no place: no machine fits"));
  }

  @Test
  void whatSomebodyChangedMeanwhileIsLeftAlone() {
    unit(1, Content.ANOTHER, BAD, false);
    unit(2, Content.NEW, UP, true);
    assertThat(next()).isEqualTo(enter(Stage.DONE, "is done", ""));
  }

  @Test
  void nothingHappensWhileItIsPaused() {
    unit(1, Content.NEW, BAD, false);
    unit(2, Content.BEFORE, UP, false);
    rollout = rollout.withPaused(true);
    assertThat(next()).isEqualTo(waits());
  }

  @Test
  void whatHoldsItUpIsKnownWhereNothingOfItIsOnItsWay() {
    unit(1, Content.NEW, COMING, false);
    unit(2, Content.BEFORE, UP, false);
    assertThat(heldUpBy(instance(7))).isEmpty();
    units.removeFirst();
    assertThat(heldUpBy()).isEmpty();
    assertThat(heldUpBy(instance(7))).containsExactly(instance(7));
    rollout = rollout.withPaused(true);
    assertThat(heldUpBy(instance(7))).isEmpty();
  }

  private Set<UnitName> heldUpBy(UnitName... othersDown) {
    return reconciliation(othersDown).heldUpBy();
  }

  @Test
  void oneWithoutUnitsIsForgottenWhateverItsStage() {
    assertThat(next()).isEqualTo(new OperationStep.Forget());
    rollout = rollout.withPaused(true);
    assertThat(next()).isEqualTo(new OperationStep.Forget());
  }

  @Test
  void oneThatIsOverIsForgottenOnceItsUnitsAreGone() {
    unit(1, Content.NEW, BAD, true);
    rollout = rollout.withStage(Stage.DONE, "");
    assertThat(next()).isEqualTo(waits());
    units.clear();
    assertThat(next()).isEqualTo(new OperationStep.Forget());
  }
}
