package fleet.engine;

import fleet.core.text.Keyword;

/** Why a unit leaves its machine for another. */
enum MoveCause implements Keyword {
  /** Its machine is lost. */
  LOST,
  /** Its machine may not run it any more. */
  UNFIT,
  DRAIN,
  REBALANCE
}
