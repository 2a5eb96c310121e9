package fleet.core.operation;

import fleet.core.text.EnumText;
import java.util.Optional;
import java.util.stream.Stream;

/** A request to change the course of an operation. */
public enum OperationChange implements EnumText {
  /** Begin no further step for now. */
  PAUSE,
  /** Go on after a pause. */
  RESUME,
  /** Give units their former content back. Only for a rollout. */
  REVERT,
  /** Go on with the units beyond the canaries. Only for a rollout. */
  PROMOTE,
  /** Begin no further step at all; units keep what they have, and those on their way arrive. */
  CANCEL;

  /** Whether it makes sense for a rollout only. */
  public boolean isOfRollouts() {
    return this == REVERT || this == PROMOTE;
  }

  public static Optional<OperationChange> ofText(String text) {
    return Stream.of(values()).filter(change -> change.text().equals(text)).findFirst();
  }
}
