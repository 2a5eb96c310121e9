package fleet.engine.decide;

import fleet.engine.decide.RolloutUnit.Condition;

/**
 * A present machine in the rollout of a global unit.
 *
 * @param id of the machine
 * @param isNew whether it is to have the new content by now
 * @param condition of the content that it is to have
 * @param proven whether it has done well with the new content for long enough
 */
public record RolloutMachine(String id, boolean isNew, Condition condition, boolean proven) {

  /** Whether the unit should run there and does not. */
  boolean isDown() {
    return switch (condition) {
      case Condition.Idle _, Condition.Up _ -> false;
      case Condition.Coming _, Condition.NoPlace _, Condition.Bad _ -> true;
    };
  }
}
