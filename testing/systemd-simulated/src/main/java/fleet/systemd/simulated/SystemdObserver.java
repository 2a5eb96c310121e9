package fleet.systemd.simulated;

import fleet.core.unit.UnitName;

/** Sees what is asked of a systemd, before it is done, and what becomes of it. */
public interface SystemdObserver {

  /** A start was asked for; a running unit is left alone by it. */
  void starting(UnitName unit);

  /**
   * A stop was asked for.
   *
   * @param running whether the unit has a process
   */
  void stopping(UnitName unit, boolean running);

  /**
   * A restart was asked for, which stops a running unit; {@link #starting} follows.
   *
   * @param running whether the unit has a process
   */
  default void restarting(UnitName unit, boolean running) {
    stopping(unit, running);
  }

  /** A unit of fleet's has come to have a process, or has none any more. */
  void changed(UnitName unit, boolean running);

  /** Something was asked that would change a unit which is not fleet's. */
  void touchedForeign(UnitName unit, String call);
}
