package fleet.engine.decide;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.unit.UnitName;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.engine.decide.RolloutUnit.Content;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Compares the desired state of the units of a rollout with the actual one. Pure. */
public final class RolloutReconciliation {

  /** How long a unit may be without a place until that counts as a failure of its content. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RolloutRecord record;
  private final Operation rollout;
  private final List<RolloutUnit> units;
  private final Set<UnitName> othersDown;

  /**
   * @param units the remaining ones, sorted by name
   * @param othersDown units of the same template that are down and not in the rollout
   */
  public RolloutReconciliation(
      RolloutRecord record, List<RolloutUnit> units, Set<UnitName> othersDown) {
    this.record = record;
    this.rollout = record.operation();
    this.units = units;
    this.othersDown = othersDown;
  }

  public OperationStep next() {
    if (units.isEmpty()) {
      return new OperationStep.Forget();
    }
    if (rollout.stage().isOver() || rollout.paused()) {
      return new OperationStep.Wait(Optional.empty());
    }
    return rollout.stage() == Stage.FORWARD ? forward() : back();
  }

  // ---- forward

  private OperationStep forward() {
    Optional<String> failure =
        having(Content.NEW).flatMap(unit -> failure(unit).stream()).findFirst();
    if (failure.isPresent()) {
      return OperationStep.Write.enter(record, Stage.BACK, "is being reverted", failure.get());
    }
    Set<UnitName> proven = new TreeSet<>();
    having(Content.NEW)
        .filter(unit -> !unit.proven() && waitFor(unit).filter(Duration::isPositive).isEmpty())
        .filter(unit -> unit.condition() instanceof Condition.Up)
        .forEach(unit -> proven.add(unit.name()));
    if (!proven.isEmpty()) {
      return new OperationStep.Write(record.withProven(proven), "");
    }
    if (record.canaries() > 0
        && canaries().filter(RolloutUnit::proven).count() >= record.canaries()) {
      return new OperationStep.Write(
          record.withCanariesProven(), "is paused: " + Operation.CANARIES_HEALTHY);
    }
    return (hasAllCanaries() ? Optional.<OperationStep>empty() : replace(Content.BEFORE))
        .or(() ->
            Optional.of(Stage.DONE)
                .filter(_ -> allAre(Content.NEW))
                .map(done -> OperationStep.Write.enter(record, done, "is done", "")))
        .orElseGet(this::waiting);
  }

  /** The units that show how the new content does. */
  private Stream<RolloutUnit> canaries() {
    return having(Content.NEW).filter(unit -> !(unit.condition() instanceof Condition.Idle));
  }

  /** Whether no further unit has its turn before the canaries are proven. */
  private boolean hasAllCanaries() {
    return record.canaries() > 0 && canaries().count() >= record.canaries();
  }

  /** The reason to revert, from a unit with the new content. */
  private static Optional<String> failure(RolloutUnit unit) {
    return switch (unit.condition()) {
      case Condition.Bad bad -> Optional.of(unit.name() + " " + bad.how());
      case Condition.NoPlace none when none.since().compareTo(PATIENCE) >= 0 ->
          Optional.of(unit.name() + " finds no place: " + none.how());
      default -> Optional.empty();
    };
  }

  // ---- back

  private OperationStep back() {
    return replace(Content.NEW)
        .or(() ->
            Optional.of(Stage.UNDONE)
                .filter(_ -> allAre(Content.BEFORE))
                .map(undone ->
                    OperationStep.Write.enter(record, undone, "is undone", rollout.reason())))
        .orElseGet(this::waiting);
  }

  // ---- both ways

  /** The next unit to change, if its turn has come: changing a unit that is down costs nothing. */
  private Optional<OperationStep> replace(Content from) {
    Set<UnitName> busy = busy(from);
    Set<UnitName> down = down();
    down.addAll(busy);
    return having(from)
        .min(order())
        .filter(unit -> (costsNothing(unit) ? busy : down).size() < rollout.maxUnavailable())
        .map(unit -> replace(unit, from));
  }

  private Set<UnitName> busy(Content from) {
    Set<UnitName> busy = new TreeSet<>();
    for (RolloutUnit unit : units) {
      if (isUnderWay(unit, from)) {
        busy.add(unit.name());
      }
    }
    return busy;
  }

  private Set<UnitName> down() {
    Set<UnitName> down = new TreeSet<>(othersDown);
    for (RolloutUnit unit : units) {
      if (unit.down()) {
        down.add(unit.name());
      }
    }
    return down;
  }

  /** The units that are down and block the rollout while none of its own changes is under way. */
  public Set<UnitName> heldUpBy() {
    Content from = rollout.stage() == Stage.FORWARD ? Content.BEFORE : Content.NEW;
    boolean stands =
        !rollout.stage().isOver()
            && !rollout.paused()
            && having(from).findAny().isPresent()
            && busy(from).isEmpty()
            && !hasAllCanaries()
            && replace(from).isEmpty();
    return stands ? down() : Set.of();
  }

  private static boolean costsNothing(RolloutUnit unit) {
    return unit.down() || unit.condition() instanceof Condition.Idle;
  }

  private OperationStep replace(RolloutUnit unit, Content from) {
    return from == Content.BEFORE
        ? new OperationStep.Replace(unit.name(), unit.before(), record.sha256())
        : new OperationStep.Replace(unit.name(), record.sha256(), unit.before());
  }

  /** Units that are down come first, the template last, since new units are made from it. */
  private Comparator<RolloutUnit> order() {
    return Comparator.comparing(
            (RolloutUnit unit) -> unit.name().equals(record.name()) && unit.name().isTemplate())
        .thenComparing(unit -> !unit.down())
        .thenComparing(RolloutUnit::name);
  }

  /** Whether the unit has been changed and not yet proven. */
  private boolean isUnderWay(RolloutUnit unit, Content from) {
    if (unit.content() != (from == Content.BEFORE ? Content.NEW : Content.BEFORE)) {
      return false;
    }
    return switch (unit.condition()) {
      case Condition.Idle _, Condition.Bad _ -> false;
      case Condition.Coming _ -> true;
      case Condition.NoPlace none -> none.since().compareTo(PATIENCE) < 0;
      case Condition.Up _ -> from == Content.BEFORE && !unit.proven();
    };
  }

  /** Whether nothing is left to change or to prove. */
  private boolean allAre(Content content) {
    Content from = content == Content.NEW ? Content.BEFORE : Content.NEW;
    return having(from).findAny().isEmpty()
        && units.stream().noneMatch(unit -> isUnderWay(unit, from));
  }

  private OperationStep waiting() {
    return new OperationStep.Wait(
        units.stream()
            .flatMap(unit -> waitFor(unit).stream())
            .filter(Duration::isPositive)
            .min(Comparator.naturalOrder()));
  }

  /** How long it takes until the passing of time changes a unit's condition. */
  private Optional<Duration> waitFor(RolloutUnit unit) {
    return switch (unit.condition()) {
      case Condition.NoPlace none -> Optional.of(PATIENCE.minus(none.since()));
      case Condition.Up up
          when unit.content() == Content.NEW
              && !unit.proven()
              && rollout.stage() == Stage.FORWARD ->
          Optional.of(record.healthy().minus(up.since()));
      default -> Optional.empty();
    };
  }

  private Stream<RolloutUnit> having(Content content) {
    return units.stream().filter(unit -> unit.content() == content);
  }
}
