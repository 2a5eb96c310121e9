package fleet.engine;

import java.util.Locale;

/** Why a unit leaves its machine for another. */
enum MoveCause {
  /** Its machine is lost. */
  LOST,
  /** Its machine may not run it any more. */
  UNFIT,
  DRAIN,
  REBALANCE;

  /** As metrics have it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
