package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.DestroyCondition;
import fleet.cluster.DestroyResult;
import fleet.cluster.PutResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.desired.Unit;
import fleet.core.state.DesiredState;
import fleet.core.state.SystemdState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Units in memory, which nothing places; and units and states for tests. */
final class FakeUnits {

  static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

  private final Map<UnitName, UnitView> units = new ConcurrentSkipListMap<>();

  /** The result of all puts, whatever the units are. */
  volatile Optional<PutResult> refusal = Optional.empty();

  static UnitView view(String name, DesiredState desired) {
    UnitFile file;
    try {
      file = UnitFile.parse("[Service]\nExecStart=/bin/true\n");
    } catch (fleet.core.unit.UnitFileSyntaxException e) {
      throw new IllegalArgumentException(e);
    }
    Unit unit =
        new Unit(
            UnitName.of(name),
            new Incarnation("i1"),
            file,
            desired,
            0,
            "user root",
            TIME,
            List.of());
    return onNoMachine(unit);
  }

  private static UnitView onNoMachine(Unit unit) {
    return new UnitView(
        unit,
        Optional.of(DesiredState.INACTIVE),
        Optional.empty(),
        false,
        "",
        false,
        "",
        Optional.empty(),
        "");
  }

  /** A global unit that is launched. */
  static UnitView global(String name) {
    return new UnitView(
        view(name, DesiredState.LAUNCHED).unit(),
        Optional.empty(),
        Optional.empty(),
        true,
        "",
        false,
        "",
        Optional.empty(),
        "");
  }

  static UnitState state(String unit, String machine) {
    SystemdState systemd =
        new SystemdState("loaded", "active", "running", "success", "inv1", 2, TIME);
    return new UnitState(
        UnitName.of(unit),
        machine,
        new Incarnation("i1"),
        "h1",
        DesiredState.LAUNCHED,
        1,
        systemd,
        "");
  }

  void add(UnitView view) {
    units.put(view.unit().name(), view);
  }

  void remove(UnitName unit) {
    units.remove(unit);
  }

  Optional<UnitView> find(UnitName name) {
    return Optional.ofNullable(units.get(name));
  }

  /** All units, sorted by name. */
  List<UnitView> all() {
    return List.copyOf(units.values());
  }

  synchronized List<PutResult> put(List<UnitPut> puts, Caller caller) {
    return puts.stream().map(put -> refusal.orElseGet(() -> putOne(put, caller))).toList();
  }

  private PutResult putOne(UnitPut put, Caller caller) {
    UnitName name = put.name();
    Optional<UnitFile> file = put.file();
    Optional<DesiredState> desired = put.desired();
    UnitView old = units.get(name);
    List<String> require =
        old == null || !put.require().isEmpty() ? put.require() : old.unit().require();
    if (old == null) {
      if (file.isEmpty()) {
        return PutResult.NO_CONTENT;
      }
      add(
          inSet(
              with(name, file.get(), desired.orElse(DesiredState.INACTIVE), caller, require),
              put.set().orElse("")));
      return PutResult.CREATED;
    }
    if (file.isPresent() && !file.get().equals(old.unit().file())) {
      add(
          inSet(
              with(name, file.get(), desired.orElse(DesiredState.INACTIVE), caller, require),
              put.set().orElse(old.set())));
      return PutResult.REPLACED;
    }
    if (desired.isEmpty() && put.set().isEmpty()) {
      return PutResult.NO_DESIRED_STATE;
    }
    UnitView changed =
        desired.map(state -> with(name, old.unit().file(), state, caller, require)).orElse(old);
    add(inSet(changed, put.set().orElse(old.set())));
    return PutResult.UPDATED;
  }

  static UnitView inSet(UnitView view, String set) {
    return new UnitView(
        view.unit(),
        view.current(),
        view.machine(),
        view.global(),
        view.waiting(),
        view.refused(),
        view.reason(),
        view.keptOn(),
        set);
  }

  private static UnitView with(
      UnitName name, UnitFile file, DesiredState desired, Caller caller, List<String> require) {
    Unit unit =
        new Unit(name, new Incarnation("i2"), file, desired, 0, caller.name(), TIME, require);
    return onNoMachine(unit);
  }

  public DestroyResult destroy(UnitName name, DestroyCondition condition) {
    UnitView unit = units.get(name);
    if (unit == null) {
      return new DestroyResult.Unknown();
    }
    if (condition.set().filter(set -> !set.equals(unit.set())).isPresent()
        || condition
            .incarnation()
            .filter(one -> !one.equals(unit.unit().incarnation()))
            .isPresent()) {
      return new DestroyResult.Kept(condition.toString());
    }
    units.remove(name);
    return new DestroyResult.Destroyed();
  }
}
