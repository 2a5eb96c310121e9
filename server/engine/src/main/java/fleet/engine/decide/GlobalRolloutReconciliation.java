package fleet.engine.decide;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.OperationRecord;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Decides which machine is next in the rollout of a global unit, or in its restart: they come in
 * the order of their ids, and go back in the opposite order. Machines that are not present do not
 * count; they get their content or start when they come. So nothing goes forward while many of them
 * may come at once. Machines on which the unit was down before do not count either: the rollout may
 * mend it. Pure.
 */
public final class GlobalRolloutReconciliation {

  private final GlobalOperation record;
  private final GlobalRollout global;
  private final Operation rollout;
  private final List<RolloutMachine> machines;
  private final boolean held;

  /**
   * @param machines the present ones that are to have the unit, sorted by id
   * @param held whether absent machines are awaited: the bound must not pass them
   */
  public GlobalRolloutReconciliation(
      GlobalOperation record, GlobalRollout global, List<RolloutMachine> machines, boolean held) {
    this.record = record;
    this.global = global;
    this.rollout = record.operation();
    this.machines = List.copyOf(machines);
    this.held = held;
  }

  public OperationStep next() {
    if (rollout.stage().isOver() || rollout.paused()) {
      return new OperationStep.Wait(Optional.empty());
    }
    return rollout.stage() == Stage.FORWARD ? forward() : back();
  }

  // ---- forward

  private OperationStep forward() {
    Optional<OperationStep> failure =
        changed().flatMap(machine -> failure(machine).stream()).findFirst();
    if (failure.isPresent()) {
      return failure.get();
    }
    if (held) {
      return waiting();
    }
    String proven = provenUpTo();
    OperationRecord now = record.withGlobal(global.withProvenUpTo(proven));
    if (now instanceof RolloutRecord ofRollout
        && record.canaries() > 0
        && canaries().filter(this::isProven).count() >= record.canaries()) {
      return new OperationStep.Write(
          ofRollout.withCanariesProven(), "is paused: " + Operation.CANARIES_HEALTHY);
    }
    if (!proven.equals(global.provenUpTo())) {
      return new OperationStep.Write(now, "");
    }
    Optional<RolloutMachine> next = unchanged().findFirst();
    if (next.isEmpty()) {
      return busy().isEmpty() ? new OperationStep.Adopt(record) : waiting();
    }
    return next.filter(machine -> !hasAllCanaries() && mayChange(machine))
        .<OperationStep>map(machine -> upTo(machine.id()))
        .orElseGet(this::waiting);
  }

  private Optional<OperationStep> failure(RolloutMachine machine) {
    return machine.condition() instanceof Condition.Bad bad
            && !record.acceptsFailureOn(machine.id())
        ? Optional.of(
            failed(machine.id(), record.name() + " on machine " + machine.id() + " " + bad.how()))
        : Optional.empty();
  }

  private OperationStep failed(String machine, String why) {
    OperationRecord now = record.failed(machine, why);
    String told = now.operation().stage() == Stage.BACK ? "is being reverted" : "is paused";
    return new OperationStep.Write(now, told + ": " + why);
  }

  private OperationStep upTo(String machine) {
    return new OperationStep.Write(record.withGlobal(global.withUpTo(machine)), "");
  }

  /** The machines that show how the new content does. */
  private Stream<RolloutMachine> canaries() {
    return changed().filter(machine -> !(machine.condition() instanceof Condition.Idle));
  }

  private boolean hasAllCanaries() {
    return record.canaries() > 0 && canaries().count() >= record.canaries();
  }

  /** The last of the machines that have done well without a gap: they need not prove it again. */
  private String provenUpTo() {
    String last = global.provenUpTo();
    for (RolloutMachine machine : changed().toList()) {
      if (!isProven(machine)) {
        return last;
      }
      if (last.compareTo(machine.id()) < 0) {
        last = machine.id();
      }
    }
    return last;
  }

  private boolean isProven(RolloutMachine machine) {
    return switch (machine.condition()) {
      case Condition.Idle _ -> true;
      case Condition.Up up -> machine.proven() || up.since().compareTo(record.healthy()) >= 0;
      case Condition.Bad _ -> record.acceptsFailureOn(machine.id());
      case Condition.Coming _, Condition.NoPlace _ -> false;
    };
  }

  // ---- back

  private OperationStep back() {
    List<RolloutMachine> left = changed().toList();
    if (left.isEmpty()) {
      return unchanged().anyMatch(machine -> machine.condition() instanceof Condition.Coming)
          ? waiting()
          : OperationStep.Write.enter(
              record.withGlobal(global.withUpTo("")), Stage.UNDONE, "is undone", rollout.reason());
    }
    String before = left.size() == 1 ? "" : left.get(left.size() - 2).id();
    return mayChange(left.getLast()) ? upTo(before) : waiting();
  }

  // ---- both ways

  private Stream<RolloutMachine> changed() {
    return machines.stream().filter(RolloutMachine::isNew);
  }

  private Stream<RolloutMachine> unchanged() {
    return machines.stream().filter(machine -> !machine.isNew());
  }

  /** Whether the rollout has few enough other machines under way. */
  private boolean mayChange(RolloutMachine machine) {
    Set<String> others = busy();
    others.remove(machine.id());
    return others.size() < rollout.maxUnavailable();
  }

  /** The machines that were changed last and have not done well yet. */
  private Set<String> busy() {
    boolean forward = rollout.stage() == Stage.FORWARD;
    Set<String> busy = new TreeSet<>();
    for (RolloutMachine machine : machines) {
      boolean open =
          forward
              ? machine.isNew() && !isProven(machine)
              : !machine.isNew() && machine.condition() instanceof Condition.Coming;
      if (open) {
        busy.add(machine.id());
      }
    }
    return busy;
  }

  private OperationStep waiting() {
    return new OperationStep.Wait(
        changed()
            .filter(machine -> rollout.stage() == Stage.FORWARD && !isProven(machine))
            .flatMap(machine ->
                machine.condition() instanceof Condition.Up up
                    ? Stream.of(record.healthy().minus(up.since()))
                    : Stream.<Duration>empty())
            .filter(Duration::isPositive)
            .min(Comparator.naturalOrder()));
  }
}
