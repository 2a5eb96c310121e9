package fleet.engine;

import fleet.cluster.Cause;
import fleet.cluster.Event;
import fleet.cluster.Event.Command;
import fleet.cluster.Event.Kind;
import fleet.cluster.Event.Subject;
import fleet.core.desired.Unit;
import fleet.core.operation.OperationId;
import fleet.core.schedule.TargetState;
import fleet.core.unit.UnitName;
import fleet.engine.state.ClusterState;
import fleet.engine.state.KnownUnit;
import fleet.engine.state.ScheduledUnit;
import fleet.registry.Delta;
import fleet.registry.RegistryException;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Derives events from changes of the registry: who asked for what, and which units came to which
 * machines and why. It uses only what is stored, so that every fleetd tells the same. Owned by the
 * state thread.
 */
final class EventDeriver {

  private final ClusterState cluster;
  private final Map<UnitName, Optional<Unit>> units = new LinkedHashMap<>();
  private final Map<UnitName, Optional<ScheduledUnit>> places = new LinkedHashMap<>();
  private final Map<UnitName, String> reasons = new HashMap<>();
  private final Map<String, String> destroyers = new HashMap<>();
  private final List<Event.Body> told = new ArrayList<>();

  EventDeriver(ClusterState cluster) {
    this.cluster = cluster;
  }

  /** Notes what a delta is about to change; the former state makes no events. */
  void before(Delta delta) {
    forget();
    for (Delta.Change change : delta.changes()) {
      String key = change.key();
      if (key.startsWith(Keys.UNITS)) {
        note(key, units, unit -> cluster.units().of(unit).map(KnownUnit::unit));
      } else if (key.startsWith(Keys.SCHEDULES)) {
        note(key, places, cluster.schedule()::of);
      }
    }
  }

  private static <T> void note(
      String key, Map<UnitName, Optional<T>> noted, Function<UnitName, Optional<T>> now) {
    try {
      noted.computeIfAbsent(Keys.unitOf(key), now);
    } catch (RegistryException namesNone) {
      return;
    }
  }

  /** The delta has placed a unit, for a reason. */
  void placed(UnitName unit, String why) {
    reasons.put(unit, why);
  }

  /** The delta holds a command that leaves no other trace. */
  void commanded(CommandRecord record) {
    switch (record.command()) {
      case CommandRecord.DESTROY -> destroyers.put(record.subject(), record.by());
      case CommandRecord.METADATA -> told.add(ofMachine(record, Command.METADATA));
      case CommandRecord.CORDON -> told.add(ofMachine(record, Command.CORDONED));
      case CommandRecord.UNCORDON -> told.add(ofMachine(record, Command.UNCORDONED));
      case CommandRecord.MAINTENANCE -> told.add(ofMachine(record, Command.MAINTENANCE));
      case CommandRecord.END_MAINTENANCE -> told.add(ofMachine(record, Command.MAINTENANCE_ENDED));
      case CommandRecord.REMOVE -> told.add(ofMachine(record, Command.REMOVED));
      case CommandRecord.READMIT -> told.add(ofMachine(record, Command.READMITTED));
      case CommandRecord.TOKEN -> told.add(ofToken(record, Command.TOKEN_CREATED));
      case CommandRecord.REVOKE_TOKEN -> told.add(ofToken(record, Command.TOKEN_REVOKED));
      case CommandRecord.GRANT -> told.add(ofGrant(record, Command.ACCESS_GRANTED));
      case CommandRecord.REVOKE_GRANT -> told.add(ofGrant(record, Command.ACCESS_REVOKED));
      case CommandRecord.UNSET ->
          told.add(Event.Body.of(Command.CONFIG, Subject.NONE, cause(record)));
      case CommandRecord.AUTHORITY ->
          told.add(Event.Body.of(Command.CA_ROTATION, Subject.NONE, cause(record)));
      case CommandRecord.OPERATION ->
          OperationId.of(record.subject())
              .ifPresent(id -> told.add(Event.Body.of(id, cause(record))));
      default -> {
        // A newer fleet wrote the command, and makes its own event.
      }
    }
  }

  private static Event.Body ofMachine(CommandRecord record, Command command) {
    return Event.Body.of(command, Subject.of(record.subject()), cause(record));
  }

  private static Event.Body ofToken(CommandRecord record, Command command) {
    String token = record.subject();
    String why = record.details().isEmpty() ? token : token + " " + record.details();
    return Event.Body.of(command, Subject.NONE, new Cause(record.by(), why));
  }

  private static Event.Body ofGrant(CommandRecord record, Command command) {
    String why = record.details().isEmpty() ? record.subject() : record.details();
    return Event.Body.of(command, Subject.NONE, new Cause(record.by(), why));
  }

  private static Cause cause(CommandRecord record) {
    return new Cause(record.by(), record.details());
  }

  /** The events of the delta, once it is in the state. */
  List<Event.Body> after() {
    units.forEach((unit, before) ->
        unitEvent(unit, before, cluster.units().of(unit).map(KnownUnit::unit))
            .ifPresent(told::add));
    places.forEach(
        (unit, before) -> moved(unit, before, cluster.schedule().of(unit)).ifPresent(told::add));
    return List.copyOf(told);
  }

  private void forget() {
    units.clear();
    places.clear();
    reasons.clear();
    destroyers.clear();
    told.clear();
  }

  private Optional<Event.Body> unitEvent(UnitName name, Optional<Unit> before, Optional<Unit> now) {
    if (now.isEmpty()) {
      return before.map(_ -> destroyed(name));
    }
    return command(before, now.get())
        .map(command ->
            Event.Body.of(command, name, Optional.of(now.get().desired()), now.get().by()));
  }

  private Event.Body destroyed(UnitName name) {
    String by = destroyers.getOrDefault(name.value(), "");
    return Event.Body.of(Command.DESTROYED, name, Optional.empty(), by);
  }

  private static Optional<Command> command(Optional<Unit> before, Unit now) {
    if (before.isEmpty()) {
      return Optional.of(Command.CREATED);
    }
    Unit was = before.get();
    if (!was.incarnation().equals(now.incarnation())) {
      return Optional.of(Command.REPLACED);
    }
    if (was.desired() != now.desired()) {
      return Optional.of(Command.DESIRED);
    }
    return was.restartCounter() < now.restartCounter()
        ? Optional.of(Command.STARTED_AGAIN)
        : Optional.empty();
  }

  private Optional<Event.Body> moved(
      UnitName unit, Optional<ScheduledUnit> before, Optional<ScheduledUnit> now) {
    String why = reasons.getOrDefault(unit, "");
    if (before.isEmpty()) {
      return now.map(placed -> bodyOf(Kind.PLACED, unit, placed.machine(), why));
    }
    ScheduledUnit was = before.get();
    if (now.isEmpty()) {
      return Optional.of(bodyOf(Kind.LEFT, unit, was.machine(), whyLeft(was)));
    }
    ScheduledUnit is = now.get();
    if (!is.machine().equals(was.machine())) {
      return Optional.of(
          new Event.Body(
              Kind.MOVED,
              new Subject(Optional.of(unit), is.machine(), was.machine()),
              Cause.of(whyMoved(whyLeft(was), why))));
    }
    if (isStopping(is)) {
      return isStopping(was)
          ? Optional.empty()
          : Optional.of(bodyOf(Kind.LEAVING, unit, is.machine(), is.record().why()));
    }
    return reasons.containsKey(unit)
        ? Optional.of(bodyOf(Kind.PLACED, unit, is.machine(), why))
        : Optional.empty();
  }

  private static Event.Body bodyOf(Kind kind, UnitName unit, String machine, String why) {
    return new Event.Body(kind, Subject.of(unit, machine), Cause.of(why));
  }

  /** A rebalance gives the same reason for leaving one machine and coming to another. */
  private static String whyMoved(String left, String came) {
    return came.isEmpty() || came.equals(left) ? left : left + "; " + came;
  }

  private static boolean isStopping(ScheduledUnit placed) {
    return placed.record().target() == TargetState.STOPPING;
  }

  /** The recorded reason, or the only cause that leaves none. */
  private String whyLeft(ScheduledUnit was) {
    if (!was.record().why().isEmpty()) {
      return was.record().why();
    }
    String machine = "machine " + was.machine();
    return cluster.isThere(was.machine()) ? machine + " does not have it" : machine + " is lost";
  }
}
