package fleet.agent.mark;

import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.List;
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
 * @param stopping whether systemd was about to be asked to stop it: where it then does not run,
 *     fleet did that, and not the unit itself
 * @param require what the unit asks of machines beside its file, each {@code Option=Value}
 */
public record Mark(
    UnitName unit,
    Incarnation incarnation,
    String hash,
    boolean global,
    boolean complete,
    OptionalLong started,
    boolean confirmed,
    boolean stopping,
    List<String> require) {

  public Mark {
    require = List.copyOf(require);
  }

  /** Of a unit whose file is about to be written. */
  public static Mark placing(ScheduleEntry entry) {
    return new Mark(
        entry.unit(),
        entry.incarnation(),
        entry.file().hash(),
        entry.global(),
        false,
        OptionalLong.empty(),
        false,
        false,
        entry.require());
  }

  /** Of one placed again, which changes nothing about the start that was carried out. */
  public Mark startedAs(Mark before) {
    return with(complete, before.started, before.confirmed, false);
  }

  public Mark placed() {
    return with(true, started, confirmed, false);
  }

  public Mark starting(long restartCounter) {
    return with(complete, OptionalLong.of(restartCounter), false, false);
  }

  public Mark startConfirmed() {
    return with(complete, started, true, false);
  }

  public Mark stopped() {
    return with(complete, OptionalLong.empty(), false, false);
  }

  public Mark aboutToStop() {
    return with(complete, started, confirmed, true);
  }

  /** It was not stopped after all. */
  public Mark notStopped() {
    return with(complete, started, confirmed, false);
  }

  /** The same placement, of which something else is so now. */
  private Mark with(
      boolean nowComplete, OptionalLong nowStarted, boolean nowConfirmed, boolean nowStopping) {
    return new Mark(
        unit,
        incarnation,
        hash,
        global,
        nowComplete,
        nowStarted,
        nowConfirmed,
        nowStopping,
        require);
  }
}
