package fleet.api;

import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import org.jspecify.annotations.Nullable;

/** The content of an event besides its name. */
record Payload(
    @Nullable UnitEntity unit,
    @Nullable StateEntity state,
    @Nullable MachineEntity machine,
    @Nullable String reason,
    @Nullable String command) {

  static final Payload NONE = new Payload(null, null, null, null, null);

  Payload with(UnitEntity other) {
    return new Payload(other, state, machine, reason, command);
  }

  Payload with(StateEntity other) {
    return new Payload(unit, other, machine, reason, command);
  }

  Payload with(MachineEntity other) {
    return new Payload(unit, state, other, reason, command);
  }

  Payload because(String why) {
    return new Payload(unit, state, machine, why, command);
  }

  Payload commanded(String what) {
    return new Payload(unit, state, machine, reason, what);
  }
}
