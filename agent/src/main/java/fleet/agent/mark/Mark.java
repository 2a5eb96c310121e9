package fleet.agent.mark;

import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.OptionalLong;

/**
 * Says that fleet placed a unit on this machine, and which start of it was carried out.
 *
 * @param hash of the file that was placed, SHA-1 in hex
 * @param global whether it is on every machine that fits, so that the cluster never moves it
 * @param complete whether systemd was told all that there is to tell of the file: false where
 *     fleetd ended in between, so that it must be placed again
 * @param started the restart counter of the last start asked of systemd; empty where there was none
 *     since the unit was placed or stopped
 * @param confirmed whether systemd took the start: false where fleetd ended in between
 */
public record Mark(
    UnitName unit,
    Incarnation incarnation,
    String hash,
    boolean global,
    boolean complete,
    OptionalLong started,
    boolean confirmed) {

  /** Of a unit whose file is about to be written. */
  public static Mark placing(UnitName unit, Incarnation incarnation, String hash, boolean global) {
    return new Mark(unit, incarnation, hash, global, false, OptionalLong.empty(), false);
  }

  /** Its file is about to be written again, which changes nothing about its start. */
  public Mark placingAgain() {
    return new Mark(unit, incarnation, hash, global, false, started, confirmed);
  }

  public Mark placed() {
    return new Mark(unit, incarnation, hash, global, true, started, confirmed);
  }

  public Mark starting(long restartCounter) {
    return new Mark(
        unit, incarnation, hash, global, complete, OptionalLong.of(restartCounter), false);
  }

  public Mark startConfirmed() {
    return new Mark(unit, incarnation, hash, global, complete, started, true);
  }

  public Mark stopped() {
    return new Mark(unit, incarnation, hash, global, complete, OptionalLong.empty(), false);
  }
}
