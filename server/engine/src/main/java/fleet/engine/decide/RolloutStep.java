package fleet.engine.decide;

import fleet.core.operation.Operation.Stage;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The leader's next step about a rollout. */
public sealed interface RolloutStep {

  /** A unit gets the content of another file, and is placed again. */
  record Replace(UnitName unit, String has, String gets) implements RolloutStep {}

  /** These units have been healthy for long enough. */
  record Prove(Set<UnitName> units) implements RolloutStep {}

  /** The rollout enters another stage. */
  record Turn(Stage stage, String why) implements RolloutStep {}

  /** None of its units is left in the cluster. */
  record Forget() implements RolloutStep {}

  /**
   * Something has to happen first.
   *
   * @param atMost after this the rollout is looked at again
   */
  record Wait(Optional<Duration> atMost) implements RolloutStep {}
}
