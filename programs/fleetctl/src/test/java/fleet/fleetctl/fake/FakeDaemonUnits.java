package fleet.fleetctl.fake;

import fleet.core.unit.SetName;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.client.UnitReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The units of a {@link FakeDaemon}, and their states on its machine. */
final class FakeDaemonUnits {

  private final FakeDaemonEvents events;
  private final boolean modern;
  private final Map<String, UnitEntity> units = new TreeMap<>();
  private final Set<String> damaged = new HashSet<>();
  private final Map<String, StateEntity> states = new TreeMap<>();
  private int incarnations;
  private boolean keepsSets = true;

  FakeDaemonUnits(boolean modern, FakeDaemonEvents events) {
    this.modern = modern;
    this.events = events;
  }

  /** Has these units and states, as they are. */
  synchronized void seed(List<UnitEntity> allUnits, List<StateEntity> allStates) {
    allUnits.forEach(unit -> units.put(unit.name(), unit));
    for (StateEntity state : allStates) {
      String name = state.name();
      states.put(states.containsKey(name) ? name + " on " + state.machineID() : name, state);
    }
  }

  synchronized Optional<UnitEntity> find(String name) {
    return Optional.ofNullable(units.get(name));
  }

  synchronized List<UnitEntity> all() {
    return List.copyOf(units.values());
  }

  synchronized List<StateEntity> states() {
    return List.copyOf(states.values());
  }

  /** Sets the unit's state on its machine, as of its last start. */
  synchronized void state(String name, String active, String sub, String result) {
    UnitEntity unit = units.get(name);
    if (unit != null) {
      state(name, active, sub, result, unit.restartCounter() == null ? 0 : unit.restartCounter());
    }
  }

  /** Sets the unit's state on its machine, as of the given start. */
  synchronized void state(String name, String active, String sub, String result, long counter) {
    UnitEntity unit = units.get(name);
    if (unit == null) {
      return;
    }
    String desired = unit.desiredState();
    String hash = UnitReader.file(unit).hash();
    StateEntity state =
        modern
            ? new StateEntity(
                hash,
                FakeDaemon.MACHINE,
                name,
                active,
                "loaded",
                sub,
                unit.incarnation(),
                "i" + counter,
                desired,
                "",
                counter,
                0L,
                result,
                "",
                null,
                null)
            : new StateEntity(
                hash,
                FakeDaemon.MACHINE,
                name,
                active,
                "loaded",
                sub,
                "",
                "",
                "",
                "",
                null,
                null,
                "",
                "",
                null,
                null);
    states.put(name, state);
    changed(unit, desired, FakeDaemon.MACHINE, "");
    events.publish("state", null, state);
  }

  /** Says why the unit has no place. */
  synchronized void waits(String name, String why, boolean refused) {
    UnitEntity unit = units.get(name);
    if (unit != null) {
      UnitEntity waiting =
          new UnitEntity(
              "inactive",
              unit.desiredState(),
              "",
              name,
              unit.options(),
              unit.by(),
              null,
              unit.incarnation(),
              refused ? true : null,
              unit.restartCounter(),
              why,
              "",
              unit.require(),
              "",
              List.of(),
              "",
              unit.set());
      units.put(name, waiting);
      events.publish("unit", waiting, null);
    }
  }

  /** The unit is on another machine from now on. */
  synchronized void moved(String name, String to) {
    changed(find(name).orElseThrow(), "loaded", to, "");
  }

  /** The unit leaves its machine. */
  synchronized void gone(String name) {
    UnitEntity unit = units.get(name);
    if (unit != null) {
      changed(unit, "inactive", "", "");
    }
    if (silent(name)) {
      events.publish("left", UnitEntity.of(name, "", List.of()), null);
    }
  }

  /** The machine says nothing of the unit any more; returns whether it did. */
  synchronized boolean silent(String name) {
    StateEntity state = states.remove(name);
    if (state != null) {
      events.publish("state-gone", null, state);
    }
    return state != null;
  }

  private void changed(UnitEntity unit, String current, String on, String waiting) {
    UnitEntity changed =
        new UnitEntity(
            UnitReader.isGlobal(unit) ? "" : current,
            unit.desiredState(),
            UnitReader.isGlobal(unit) ? "" : on,
            unit.name(),
            unit.options(),
            unit.by(),
            (modern && UnitReader.isGlobal(unit)) ? true : null,
            unit.incarnation(),
            null,
            unit.restartCounter(),
            waiting,
            "",
            unit.require(),
            "",
            List.of(),
            unit.text(),
            unit.set());
    units.put(unit.name(), changed);
    events.publish("unit", changed, null);
  }

  /** The value of a unit in the registry is garbage now: it is not listed, and can be deleted. */
  synchronized void damage(String name) {
    damaged.add(name);
  }

  synchronized boolean isDamaged(String name) {
    return damaged.contains(name);
  }

  /** The unit is new, whatever it was before. */
  synchronized void replace(String name, UnitEntity sent) {
    units.remove(name);
    keep(name, sent);
  }

  synchronized void keep(String name, UnitEntity sent) {
    UnitEntity before = units.get(name);
    boolean same =
        before != null && (sent.options().isEmpty() || sent.options().equals(before.options()));
    boolean content = !sent.options().isEmpty() && !same;
    long counter = before == null || before.restartCounter() == null ? 0 : before.restartCounter();
    String desired = desired(before, sent, same);
    boolean start =
        desired.equals("launched")
            && (content || before == null || !before.desiredState().equals(desired));
    UnitEntity unit =
        new UnitEntity(
            before == null ? "inactive" : before.currentState(),
            desired,
            before == null ? "" : before.machineID(),
            name,
            content || before == null ? sent.options() : before.options(),
            modern ? "user root" : "",
            null,
            !modern
                ? ""
                : content || before == null ? "inc" + ++incarnations : before.incarnation(),
            null,
            !modern ? null : counter + (start ? 1 : 0),
            "",
            "",
            required(before, sent, desired),
            "",
            List.of(),
            typed(sent).orElse(before != null && same ? before.text() : ""),
            set(before, sent));
    changed(unit, unit.currentState(), unit.machineID(), "");
  }

  /** Whether a request says nothing that a unit could be changed by. */
  synchronized boolean isEmpty(UnitEntity sent) {
    return sent.options().isEmpty()
        && sent.desiredState().isEmpty()
        && (!keepsSets || sent.set().isEmpty());
  }

  /** Plays a fleetd that keeps no sets. */
  synchronized void withoutSets() {
    keepsSets = false;
  }

  /** Somebody else puts a unit into a set. */
  synchronized void set(String name, String set) {
    units.put(name, find(name).orElseThrow().withSet(set));
  }

  private String set(@Nullable UnitEntity before, UnitEntity sent) {
    if (!modern || !keepsSets) {
      return "";
    }
    if (sent.set().equals(SetName.NONE)) {
      return "";
    }
    return sent.set().isEmpty() && before != null ? before.set() : sent.set();
  }

  private static String desired(@Nullable UnitEntity before, UnitEntity sent, boolean same) {
    if (before != null && same && sent.desiredState().isEmpty()) {
      return before.desiredState();
    }
    return sent.desiredState().isEmpty() ? "inactive" : sent.desiredState();
  }

  /**
   * The typed text that a unit is to have, if the request has one; empty if it is the canonical.
   */
  private static Optional<String> typed(UnitEntity sent) {
    return Optional.of(sent.text())
        .filter(text -> !text.isEmpty())
        .map(_ -> UnitReader.text(UnitReader.file(sent)));
  }

  private List<String> required(@Nullable UnitEntity before, UnitEntity sent, String desired) {
    if (!modern || desired.equals("inactive")) {
      return List.of();
    }
    return sent.require().isEmpty() && before != null ? before.require() : sent.require();
  }

  synchronized void destroy(UnitEntity unit) {
    units.remove(unit.name());
    events.publish("unit-destroyed", unit, null);
  }

  /** The unit is to start once more. */
  synchronized void startAgain(UnitEntity unit) {
    long counter = unit.restartCounter() == null ? 0 : unit.restartCounter();
    units.put(
        unit.name(),
        new UnitEntity(
            unit.currentState(),
            unit.desiredState(),
            unit.machineID(),
            unit.name(),
            unit.options(),
            unit.by(),
            unit.global(),
            unit.incarnation(),
            null,
            counter + 1,
            "",
            "",
            unit.require(),
            "",
            List.of(),
            "",
            unit.set()));
  }

  synchronized boolean isActive(String name) {
    StateEntity state = states.get(name);
    return state != null && "active".equals(state.systemdActiveState());
  }
}
