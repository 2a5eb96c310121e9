package fleet.agent.mark;

import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.OptionalLong;

/**
 * Says that fleet placed a unit on this machine, and which start of it was carried out.
 *
 * @param hash of the file that was placed, SHA-1 in hex
 * @param started the restart counter of the last start asked of systemd; empty where there was none
 *     since the unit was placed or stopped
 * @param confirmed whether systemd took the start: false where fleetd ended in between
 */
public record Mark(
    UnitName unit, Incarnation incarnation, String hash, OptionalLong started, boolean confirmed) {

  public static Mark placed(UnitName unit, Incarnation incarnation, String hash) {
    return new Mark(unit, incarnation, hash, OptionalLong.empty(), false);
  }

  public Mark starting(long restartCounter) {
    return new Mark(unit, incarnation, hash, OptionalLong.of(restartCounter), false);
  }

  public Mark startConfirmed() {
    return new Mark(unit, incarnation, hash, started, true);
  }

  public Mark stopped() {
    return new Mark(unit, incarnation, hash, OptionalLong.empty(), false);
  }
}
