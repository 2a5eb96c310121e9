package fleet.engine;

import fleet.core.text.EnumText;

/** Why a unit leaves its machine for another. */
enum MoveCause implements EnumText {
  /** Its machine is lost. */
  LOST,
  /** Its machine may not run it any more. */
  UNFIT,
  DRAIN,
  REBALANCE;
}
