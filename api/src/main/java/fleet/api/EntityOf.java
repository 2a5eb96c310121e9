package fleet.api;

import fleet.cluster.Event;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.entities.EventEntity;
import fleet.entities.MachineEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.entities.UnitOptionEntity;
import java.time.Instant;
import java.util.Map;

/** Writes what the cluster knows as entities of the API. */
final class EntityOf {
  private EntityOf() {}

  static UnitEntity unit(UnitView view) {
    Unit unit = view.unit();
    return new UnitEntity(
        view.current().map(DesiredState::text).orElse(null),
        unit.desired().text(),
        view.machine().orElse(null),
        unit.name().value(),
        unit.file().options().stream()
            .map(o -> new UnitOptionEntity(o.name(), o.section(), o.value()))
            .toList(),
        unit.by(),
        view.global() ? true : null,
        unit.incarnation().id(),
        view.refused() ? true : null,
        unit.restartCounter(),
        view.waiting());
  }

  static StateEntity state(UnitState state) {
    SystemdState systemd = state.systemd();
    return new StateEntity(
        state.hash(),
        state.machine(),
        state.unit().value(),
        systemd.active(),
        systemd.load(),
        systemd.sub(),
        state.incarnation().id(),
        systemd.invocation(),
        state.performed().text(),
        state.problem(),
        state.restartCounter(),
        systemd.restarts(),
        systemd.result(),
        systemd.since().equals(Instant.EPOCH) ? null : systemd.since().toString());
  }

  static MachineEntity machine(Machine machine) {
    return new MachineEntity(machine.id(), machine.metadata(), machine.publicIp());
  }

  static EventEntity event(Event event) {
    Payload payload = payload(event.body());
    return new EventEntity(
        event.body().name(),
        event.revision(),
        event.time().toString(),
        payload.unit(),
        payload.state(),
        payload.machine(),
        payload.reason());
  }

  private static Payload payload(Event.Body body) {
    return switch (body) {
      case Event.UnitChanged(UnitView unit) -> Payload.NONE.with(unit(unit));
      case Event.UnitDestroyed(UnitName unit) -> Payload.NONE.with(bareUnit(unit));
      case Event.StateChanged(UnitState state) -> Payload.NONE.with(state(state));
      case Event.StateGone(UnitName unit, String machine) ->
          Payload.NONE.with(bareState(unit, machine));
      case Event.MachineChanged(Machine machine) -> Payload.NONE.with(machine(machine));
      case Event.MachineGone(String machine, String why) ->
          Payload.NONE.with(new MachineEntity(machine, Map.of(), "")).because(why);
      case Event.Gap() -> Payload.NONE;
    };
  }

  private static UnitEntity bareUnit(UnitName name) {
    return new UnitEntity(null, null, null, name.value(), null, null, null, null, null, null, null);
  }

  private static StateEntity bareState(UnitName name, String machine) {
    return new StateEntity(
        null,
        machine,
        name.value(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
