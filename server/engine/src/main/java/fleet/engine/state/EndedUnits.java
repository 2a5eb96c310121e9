package fleet.engine.state;

import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Units that had run to their end when their machines went: they must not run a second time
 * elsewhere. A unit must have been at its end for some time: one that is being restarted, or
 * stopped with its machine, looks the same. Owned by the state thread.
 */
public final class EndedUnits {

  private final StoredSchedule schedule;
  private final Map<UnitName, Inactive> inactive = new HashMap<>();
  private final Map<UnitName, UnitState> last = new HashMap<>();

  /**
   * A unit that is inactive on its machine.
   *
   * @param until when the machine stopped reporting it; empty if it still does
   */
  private record Inactive(UnitState state, long since, Optional<Long> until) {

    Inactive withdrawn(long now) {
      return until.isPresent() ? this : new Inactive(state, since, Optional.of(now));
    }

    Duration lasted(long now) {
      return Duration.ofNanos(until.orElse(now) - since);
    }
  }

  EndedUnits(StoredSchedule schedule) {
    this.schedule = schedule;
  }

  /**
   * A machine reports the state of a unit.
   *
   * @param now in nanoseconds of a clock that never jumps, here and below
   */
  public void stated(UnitState state, long now) {
    UnitName unit = state.unit();
    if (!isOn(unit, state.machine())) {
      return;
    }
    last.remove(unit);
    if (!looksEnded(state)) {
      inactive.remove(unit);
      return;
    }
    Inactive before = inactive.get(unit);
    boolean same = before != null && before.until().isEmpty() && before.state().equals(state);
    if (!same) {
      inactive.put(unit, new Inactive(state, now, Optional.empty()));
    }
  }

  private boolean isOn(UnitName unit, String machine) {
    return schedule.of(unit).filter(placed -> placed.machine().equals(machine)).isPresent();
  }

  private static boolean looksEnded(UnitState state) {
    return state.performed() == DesiredState.LAUNCHED
        && state.systemd().active().equals("inactive")
        && state.problem().isEmpty();
  }

  /** A machine no longer reports a unit. */
  public void withdrawn(String machine, UnitName unit, long now) {
    inactive.computeIfPresent(
        unit, (_, known) -> known.state().machine().equals(machine) ? known.withdrawn(now) : known);
  }

  /**
   * A machine is gone.
   *
   * @param rest for how long a unit must have been inactive for that to be its end
   */
  public void went(String machine, Duration rest, long now) {
    for (UnitName unit : schedule.unitsOn(machine)) {
      Inactive known = inactive.remove(unit);
      if (known != null
          && known.state().machine().equals(machine)
          && known.lasted(now).compareTo(rest) >= 0) {
        last.put(unit, known.state());
      }
    }
  }

  void entryRemoved(UnitName unit) {
    inactive.remove(unit);
    last.remove(unit);
  }

  /**
   * The last report of a unit whose machine has gone, if the unit was at rest there; empty if it
   * was not, or that is unknown.
   */
  public Optional<UnitState> of(ScheduledUnit placed) {
    return Optional.ofNullable(last.get(placed.entry().unit()))
        .filter(state -> state.machine().equals(placed.machine()));
  }
}
