package fleet.systemd.dbus;

import fleet.core.unit.UnitName;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The units that somebody listens to. Signals of all others are dropped unread.
 *
 * <p>systemd sends about a dozen signals for one start. Their values are taken in as they come, and
 * a unit is reported once when all that came in is taken, if it is in another state than before.
 */
final class FollowedUnits {

  private final Map<String, TrackedUnit> byPath = new ConcurrentHashMap<>();
  private final Set<TrackedUnit> touched = new LinkedHashSet<>();

  void add(Collection<UnitName> units) {
    for (UnitName unit : units) {
      byPath.computeIfAbsent(UnitPaths.of(unit), path -> new TrackedUnit(unit));
    }
  }

  void remove(Collection<UnitName> units) {
    units.forEach(unit -> byPath.remove(UnitPaths.of(unit)));
  }

  Set<String> paths() {
    return Set.copyOf(byPath.keySet());
  }

  Optional<TrackedUnit> find(UnitName unit) {
    return Optional.ofNullable(byPath.get(UnitPaths.of(unit)));
  }

  Map<String, TrackedUnit> byName() {
    Map<String, TrackedUnit> records = new HashMap<>();
    byPath.values().forEach(record -> records.put(record.unit().value(), record));
    return records;
  }

  /** Signals of a link were missed: everything has to be read again. */
  void missedSignals() {
    byPath.values().forEach(TrackedUnit::markMissedSignals);
  }

  /** Takes in the signal of a unit, if it is followed. For the reading thread. */
  void signal(Frame signal) throws IOException {
    TrackedUnit unit = byPath.get(signal.path());
    if (unit == null || !signal.member().equals("PropertiesChanged")) {
      return;
    }
    Unmarshaller body = signal.body();
    String type = body.string();
    int end = body.array(8);
    boolean ofAllUnits = type.equals(UnitPaths.UNIT);
    unit.changed(body, end, ofAllUnits);
    if (ofAllUnits) {
      touched.add(unit);
    }
  }

  /** systemd removed a unit from memory. For the reading thread. */
  void removed(String path) {
    TrackedUnit unit = byPath.get(path);
    if (unit != null) {
      unit.forgotten();
      touched.add(unit);
    }
  }

  /** Has a unit looked at again that was not heard of by a signal. For the reading thread. */
  void touch(TrackedUnit unit) {
    touched.add(unit);
  }

  /** Whether there may be news to hand out. For the reading thread. */
  boolean isTouched() {
    return !touched.isEmpty();
  }

  /** Hands out the units with news since the last time. For the reading thread. */
  void drain(Consumer<TrackedUnit> news) {
    touched.forEach(unit -> handOut(unit, news));
    touched.clear();
  }

  /** The same for a single unit. */
  void drain(String name, Consumer<TrackedUnit> news) {
    for (TrackedUnit unit : touched) {
      if (unit.unit().value().equals(name)) {
        touched.remove(unit);
        handOut(unit, news);
        return;
      }
    }
  }

  private void handOut(TrackedUnit unit, Consumer<TrackedUnit> news) {
    boolean followed = unit.equals(byPath.get(UnitPaths.of(unit.unit())));
    if (followed && unit.takeNews()) {
      news.accept(unit);
    }
  }
}
