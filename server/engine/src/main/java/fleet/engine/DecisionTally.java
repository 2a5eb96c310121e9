package fleet.engine;

import java.util.EnumMap;
import java.util.Map;

/** Counts what a batch of decisions does, for metrics. Owned by the state thread. */
final class DecisionTally {

  private final Map<MoveCause, Integer> moves = new EnumMap<>(MoveCause.class);
  private int taken;
  private int unplaceable;

  /** A unit leaves its machine, and is not to run any more, or only with another content. */
  void took() {
    taken++;
  }

  /** A unit leaves its machine for another. */
  void took(MoveCause cause) {
    taken++;
    moves.merge(cause, 1, Integer::sum);
  }

  /** No machine is able to run a unit. */
  void foundNoMachine() {
    unplaceable++;
  }

  int taken() {
    return taken;
  }

  int moves(MoveCause cause) {
    return moves.getOrDefault(cause, 0);
  }

  int unplaceable() {
    return unplaceable;
  }
}
