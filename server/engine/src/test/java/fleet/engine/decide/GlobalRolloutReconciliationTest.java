package fleet.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.operation.Operation;
import fleet.core.operation.Operation.Stage;
import fleet.core.operation.OperationId;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.engine.decide.RolloutUnit.Condition;
import fleet.registry.records.GlobalRollout;
import fleet.registry.records.GlobalUpdate;
import fleet.registry.records.RolloutRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rollouts of a global unit over machines that come, go and fail, as a seed says. */
final class GlobalRolloutReconciliationTest {

  private static final UnitName MON = UnitName.of("mon.service");
  private static final Duration HEALTHY = Duration.ofSeconds(10);
  private static final Condition UP = new Condition.Up("is active", HEALTHY);
  private static final Condition COMING = new Condition.Coming("is being started");

  private static List<Long> seeds() {
    return new Random(1).longs(200).boxed().toList();
  }

  /** A machine: what it runs, and how; absent while it is away. */
  private static final class Played {
    private boolean runsNew;
    private Condition condition = UP;
    private boolean present = true;
  }

  private RolloutRecord record(Random random) {
    var operation =
        new Operation(OperationId.rollout(MON), "a", Instant.EPOCH, "", 1 + random.nextInt(3));
    var update = new GlobalUpdate(new Incarnation("new"), "sha", "hash", 1, "");
    return new RolloutRecord(operation, "hash", "sha", HEALTHY, Map.of(MON, "old"), 0)
        .withGlobal(new GlobalRollout(new Incarnation("old"), 1, update, ""));
  }

  private static GlobalRollout global(RolloutRecord record) {
    return record.global().orElseThrow();
  }

  private static List<RolloutMachine> look(
      RolloutRecord record, NavigableMap<String, Played> machines) {
    List<RolloutMachine> seen = new ArrayList<>();
    machines.forEach((id, machine) -> {
      if (machine.present) {
        boolean isNew = global(record).update().has(id);
        seen.add(
            new RolloutMachine(
                id,
                isNew,
                machine.runsNew == isNew ? machine.condition : COMING,
                global(record).isProven(id)));
      }
    });
    return seen;
  }

  private static OperationStep next(RolloutRecord record, NavigableMap<String, Played> machines) {
    return new GlobalRolloutReconciliation(record, global(record), look(record, machines), false)
        .next();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void neverMoreThanMayBeDownAreTakenDownAndAllEndWithOneContent(long seed) {
    Random random = new Random(seed);
    NavigableMap<String, Played> machines = new TreeMap<>();
    for (int i = 0; i < 1 + random.nextInt(8); i++) {
      machines.put("m" + i, new Played());
    }
    boolean newIsBad = random.nextInt(3) == 0;
    RolloutRecord record = record(random);
    boolean calm = false;
    for (int round = 0; round < 500; round++) {
      calm = round > 250;
      OperationStep step = next(record, machines);
      switch (step) {
        case OperationStep.Write write -> {
          RolloutRecord now = (RolloutRecord) write.now();
          requireFewDown(record, now, machines);
          record = now;
        }
        case OperationStep.Adopt _ -> {
          assertThat(look(record, machines)).allMatch(RolloutMachine::isNew);
          assertThat(newIsBad && !machines.isEmpty() && anyPresent(machines)).isFalse();
          return;
        }
        case OperationStep.Wait _ -> happen(record, machines, random, newIsBad, calm);
        case OperationStep.Replace _, OperationStep.Forget _ -> throw new AssertionError(step);
      }
      if (record.operation().stage() == Stage.UNDONE) {
        assertThat(global(record).update().upTo()).isEmpty();
        return;
      }
    }
    throw new AssertionError("it does not end: " + record + " " + look(record, machines));
  }

  private static boolean anyPresent(NavigableMap<String, Played> machines) {
    return machines.values().stream().anyMatch(machine -> machine.present);
  }

  /** A machine is changed only if, with it, no more are under way than may be. */
  private static void requireFewDown(
      RolloutRecord before, RolloutRecord now, NavigableMap<String, Played> machines) {
    boolean forward = now.operation().stage() == Stage.FORWARD;
    long taken = 0;
    long underWay = 0;
    for (RolloutMachine machine : look(before, machines)) {
      if (global(now).update().has(machine.id()) != machine.isNew()) {
        taken++;
      } else if (machine.isNew() == forward && machine.condition() instanceof Condition.Coming) {
        underWay++;
      }
    }
    if (before.operation().stage() == now.operation().stage() && taken > 0) {
      assertThat(taken).isEqualTo(1);
      assertThat(underWay + taken).isLessThanOrEqualTo(now.operation().maxUnavailable());
    }
  }

  /**
   * Something happens to a machine; once it is calm, only good things, but nothing heals itself.
   */
  private static void happen(
      RolloutRecord record,
      NavigableMap<String, Played> machines,
      Random random,
      boolean newIsBad,
      boolean calm) {
    String id = List.copyOf(machines.keySet()).get(random.nextInt(machines.size()));
    Played machine = Objects.requireNonNull(machines.get(id));
    int what = calm ? 0 : random.nextInt(8);
    if (what == 6) {
      machine.present = false;
    } else if (what == 7 && !global(record).update().has(id)) {
      machine.condition = new Condition.Bad("failed");
    } else if (!calm
        || machine.runsNew != global(record).update().has(id)
        || !(machine.condition instanceof Condition.Bad)) {
      machine.present = true;
      machine.runsNew = global(record).update().has(id);
      machine.condition = machine.runsNew && newIsBad ? new Condition.Bad("failed: exit-code") : UP;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachStepForwardKeepsWhatMachinesHave(long seed) {
    Random random = new Random(seed);
    NavigableMap<String, Played> machines = new TreeMap<>();
    for (int i = 0; i < 5; i++) {
      machines.put("m" + i, new Played());
    }
    RolloutRecord record = record(random);
    Optional<OperationStep> last = Optional.empty();
    while (last.filter(step -> step instanceof OperationStep.Adopt).isEmpty()) {
      OperationStep step = next(record, machines);
      if (step instanceof OperationStep.Write write) {
        RolloutRecord now = (RolloutRecord) write.now();
        for (String id : machines.keySet()) {
          assertThat(global(now).update().has(id) || !global(record).update().has(id)).isTrue();
        }
        record = now;
      } else if (step instanceof OperationStep.Wait) {
        happen(record, machines, random, false, true);
      }
      last = Optional.of(step);
    }
  }
}
