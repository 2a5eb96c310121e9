package fleet.agent.mark;

import fleet.agent.mark.Start.Answer;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says that fleet placed a unit on this machine, and which start of it was carried out.
 *
 * @param hash of the file that was placed, SHA-1 in hex
 * @param global whether it is on every machine that fits, so that the cluster never moves it
 * @param complete whether systemd knows the file completely: false if fleetd ended in between, so
 *     that it must be placed again
 * @param start the last one asked of systemd; empty if there was none since the unit was placed or
 *     stopped
 * @param stopping whether systemd was about to be asked to stop it: if it then does not run, fleet
 *     stopped it
 * @param require what the unit asks of machines beside its file, each {@code Option=Value}
 */
public record Mark(
    UnitName unit,
    Incarnation incarnation,
    String hash,
    boolean global,
    boolean complete,
    Optional<Start> start,
    boolean stopping,
    List<String> require) {

  public Mark {
    require = List.copyOf(require);
  }

  /** The mark of a unit whose file is about to be written. */
  public static Mark placing(ScheduleEntry entry) {
    return new Mark(
        entry.unit(),
        entry.incarnation(),
        entry.file().hash(),
        entry.global(),
        false,
        Optional.empty(),
        false,
        entry.require());
  }

  /**
   * Stands for the mark of a unit that fleet placed, which somebody removed.
   *
   * @param hash of its file; empty if that is gone as well
   */
  public static Mark lost(UnitName unit, String hash) {
    return new Mark(
        unit, new Incarnation(""), hash, false, false, Optional.empty(), false, List.of());
  }

  /** Whether it is unknown which content of the unit was placed. */
  public boolean isLost() {
    return incarnation.id().isEmpty();
  }

  /** Whether a lost mark may have been for the scheduled content. */
  public boolean mayBeOf(ScheduleEntry entry) {
    return hash.isEmpty() || hash.equals(entry.file().hash());
  }

  /** The counter of the last start asked of systemd. */
  public OptionalLong started() {
    return start.stream().mapToLong(Start::counter).findAny();
  }

  /** Whether systemd gave that start this answer. */
  public boolean isStart(Answer answer) {
    return start.filter(asked -> asked.answer() == answer).isPresent();
  }

  /** This mark for a unit placed again, which changes nothing about the start carried out. */
  public Mark startedAs(Mark before) {
    return with(complete, before.start, false);
  }

  public Mark placed() {
    return with(true, start, false);
  }

  /**
   * Says that systemd is about to be asked to start the unit.
   *
   * @param invocation that the unit has, and will not have any more once it is started
   */
  public Mark starting(long restartCounter, String invocation) {
    OptionalLong earlier = start.map(Start::standing).orElse(OptionalLong.empty());
    return with(
        complete,
        Optional.of(new Start(restartCounter, Answer.UNKNOWN, invocation, earlier)),
        false);
  }

  public Mark startTaken() {
    return with(complete, start.map(asked -> asked.answered(Answer.TAKEN)), false);
  }

  public Mark startRefused() {
    return with(complete, start.map(asked -> asked.answered(Answer.REFUSED)), false);
  }

  /** systemd did not take the last start: the one before it stands. */
  public Mark notStarted() {
    OptionalLong earlier = start.map(Start::earlier).orElse(OptionalLong.empty());
    return earlier.isPresent()
        ? with(
            complete,
            Optional.of(new Start(earlier.getAsLong(), Answer.TAKEN, "", OptionalLong.empty())),
            false)
        : stopped();
  }

  public Mark stopped() {
    return with(complete, Optional.empty(), false);
  }

  public Mark aboutToStop() {
    return with(complete, start, true);
  }

  public Mark notStopped() {
    return with(complete, start, false);
  }

  /** The same placement, with a change. */
  private Mark with(boolean nowComplete, Optional<Start> nowStart, boolean nowStopping) {
    return new Mark(unit, incarnation, hash, global, nowComplete, nowStart, nowStopping, require);
  }
}
