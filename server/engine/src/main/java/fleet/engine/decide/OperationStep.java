package fleet.engine.decide;

import fleet.core.operation.Operation.Stage;
import fleet.core.unit.UnitName;
import fleet.registry.records.GlobalOperation;
import fleet.registry.records.OperationRecord;
import java.time.Duration;
import java.util.Optional;

/** The leader's next step about an operation that has a record. */
public sealed interface OperationStep {

  /** A unit gets the content of another file, and is placed again. */
  record Replace(UnitName unit, String has, String gets) implements OperationStep {}

  /** All machines have the new content of a global unit: it is the unit's from now on. */
  record Adopt(GlobalOperation operation) implements OperationStep {}

  /**
   * The record changes.
   *
   * @param told the event for people; empty for none
   */
  record Write(OperationRecord now, String told) implements OperationStep {

    /** The operation enters another stage; the reason may be empty. */
    public static Write enter(OperationRecord before, Stage stage, String told, String why) {
      return new Write(
          before.with(before.operation().withStage(stage, why)),
          why.isEmpty() ? told : told + ": " + why);
    }
  }

  /** None of its units is left in the cluster. */
  record Forget() implements OperationStep {}

  /**
   * Something has to happen first.
   *
   * @param atMost after this the operation is looked at again
   */
  record Wait(Optional<Duration> atMost) implements OperationStep {}
}
