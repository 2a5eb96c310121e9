package fleet.fleetctl.wait;

import fleet.entities.EventEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.wait.EventFeed.Happened;
import java.util.Optional;

/** Applies an event to what is known of a unit. Pure. */
final class SnapshotUpdates {

  /** The event of a unit whose place on a machine is over. */
  static final String LEFT = "left";

  /** The event of a machine that has a unit no more, or is away itself. */
  static final String STATE_GONE = "state-gone";

  private SnapshotUpdates() {}

  /** The unit that an event is about; empty if it is about none. */
  static Optional<String> unitOf(Happened happened) {
    UnitEntity unit = happened.event().unit();
    if (unit != null) {
      return Optional.of(unit.name());
    }
    StateEntity state = happened.event().state();
    if (state != null) {
      return Optional.of(state.name());
    }
    return Optional.of(happened.event().context().unit()).filter(name -> !name.isEmpty());
  }

  static UnitSnapshot apply(UnitSnapshot snapshot, Happened happened) {
    EventEntity event = happened.event();
    UnitEntity unit = event.unit();
    StateEntity state = event.state();
    return switch (happened.name()) {
      case "unit" -> unit == null ? snapshot : snapshot.withUnit(unit);
      case "unit-destroyed" -> snapshot.withoutUnit();
      case "state" -> state == null ? snapshot : snapshot.withState(state);
      case STATE_GONE -> state == null ? snapshot : snapshot.withoutState(state.machineID());
      case LEFT -> snapshot.withoutPlace();
      default -> snapshot;
    };
  }
}
