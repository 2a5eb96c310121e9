package fleet.engine.state;

import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.records.ScheduleRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds repeated texts of messages and records once: names, incarnations and hashes of units, ids
 * of machines, systemd's words. With a hundred thousand units, copies would be most of the state's
 * memory. Owned by the state thread.
 */
final class Interner {

  /** A power of two. Two texts with the same slot are only held more often. */
  private static final int PLACES = 1 << 14;

  private final StoredUnits units;
  private final StoredFiles files;
  private final @Nullable String[] texts = new @Nullable String[PLACES];

  Interner(StoredUnits units, StoredFiles files) {
    this.units = units;
    this.files = files;
  }

  UnitName of(UnitName name) {
    return units.of(name).map(known -> known.unit().name()).orElse(name);
  }

  String of(String text) {
    int hash = text.hashCode();
    int place = (hash ^ hash >>> 16) & PLACES - 1;
    String held = texts[place];
    if (text.equals(held)) {
      return held;
    }
    texts[place] = text;
    return text;
  }

  ScheduleRecord of(UnitName unit, ScheduleRecord record) {
    return new ScheduleRecord(
        of(units.of(unit), record.incarnation()),
        files.nameOf(record.sha256()),
        hash(record.sha256(), record.hash()),
        record.target(),
        record.restartCounter(),
        record.why(),
        of(record.next()),
        record.overcommit(),
        of(record.require()),
        record.update(),
        record.unknown());
  }

  /** The same list with its texts held once; most are empty. */
  List<String> of(List<String> texts) {
    if (texts.isEmpty()) {
      return List.of();
    }
    List<String> held = new ArrayList<>(texts.size());
    for (String text : texts) {
      held.add(of(text));
    }
    return List.copyOf(held);
  }

  UnitState of(UnitState state) {
    Optional<KnownUnit> known = units.of(state.unit());
    return new UnitState(
        known.map(unit -> unit.unit().name()).orElse(state.unit()),
        of(state.machine()),
        of(known, state.incarnation()),
        known.map(unit -> hash(unit.sha256(), state.hash())).orElse(state.hash()),
        state.performed(),
        state.restartCounter(),
        of(state.systemd()),
        of(state.problem()));
  }

  private SystemdState of(SystemdState state) {
    return new SystemdState(
        of(state.load()),
        of(state.active()),
        of(state.sub()),
        of(state.result()),
        state.invocation(),
        state.restarts(),
        state.since(),
        state.exitCode(),
        state.exitSignal());
  }

  private static Incarnation of(Optional<KnownUnit> known, Incarnation incarnation) {
    return known
        .map(unit -> unit.unit().incarnation())
        .filter(incarnation::equals)
        .orElse(incarnation);
  }

  private String hash(String sha256, String hash) {
    if (!files.has(sha256)) {
      return hash;
    }
    String held = files.peek(sha256).hash();
    return held.equals(hash) ? held : hash;
  }
}
