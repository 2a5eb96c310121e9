package fleet.systemd.dbus;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The known state of one unit, put together from answers and from the values that signals carry.
 * Only the reading thread changes it; any thread may ask for the {@link #state}.
 */
final class TrackedUnit {

  /** The kind of end of a process that exited by itself: {@code CLD_EXITED}. */
  private static final int EXITED = 1;

  private final UnitName unit;
  private String load = "loaded";
  private String active = "inactive";
  private String sub = "dead";
  private String result = "";
  private String invocation = "";
  private long restarts;
  private long exitKind;
  private long exitStatus;
  private long stateChange;
  private long activeEnter;
  private long inactiveEnter;
  private Run last = new Run("", "", 0, 0, 0, 0, 0, 0);
  private boolean collected;
  private volatile SystemdState state = SystemdState.DEAD;
  private volatile boolean complete;
  private SystemdState told = SystemdState.DEAD;
  private boolean tellAnyway = true;

  TrackedUnit(UnitName unit) {
    this.unit = unit;
  }

  UnitName unit() {
    return unit;
  }

  SystemdState state() {
    return state;
  }

  /** Whether signals since the last full reading have kept this up to date. */
  boolean isComplete() {
    return complete;
  }

  void markComplete() {
    complete = true;
  }

  void markMissedSignals() {
    complete = false;
  }

  /**
   * Takes the values of one {@code PropertiesChanged}, of those that matter here. Properties of the
   * unit's type come first, and count once the properties of all units have come after them.
   */
  void changed(Unmarshaller properties, int end, boolean ofAllUnits) throws IOException {
    while (properties.isBefore(end)) {
      properties.align(8);
      take(properties.string(), properties);
    }
    if (ofAllUnits) {
      settle();
      refresh();
    }
  }

  /** Takes one property as {@code Get} answered it, the invocation first. */
  void got(String property, Unmarshaller value) throws IOException {
    if (collected) {
      return;
    }
    take(property, value);
    collected = settle();
    readByCaller();
    refresh();
  }

  void listed(String listedLoad, String listedActive, String listedSub) {
    load = listedLoad;
    active = listedActive;
    sub = listedSub;
    collected = false;
    refresh();
  }

  /** systemd forgot the unit, which it does when that has ended; what it did last stays known. */
  void forgotten() {
    active = "inactive";
    sub = "dead";
    refresh();
  }

  private void take(String property, Unmarshaller value) throws IOException {
    switch (property) {
      case "LoadState" -> load = value.stringVariant();
      case "ActiveState" -> enter(value.stringVariant());
      case "SubState" -> sub = value.stringVariant();
      case "Result" -> result = value.stringVariant();
      case "InvocationID" -> invocation = value.hexVariant();
      case "NRestarts" -> restarts = value.numberVariant();
      case "ExecMainCode" -> exitKind = value.numberVariant();
      case "ExecMainStatus" -> exitStatus = value.numberVariant();
      case "StateChangeTimestamp" -> stateChange = value.numberVariant();
      case "ActiveEnterTimestamp" -> activeEnter = value.numberVariant();
      case "InactiveEnterTimestamp" -> inactiveEnter = value.numberVariant();
      default -> value.skipVariant();
    }
  }

  private void enter(String next) {
    if (isDown(active) && !isDown(next)) {
      // systemd starts nothing that it could not load, and sends no signal for the load state.
      load = "loaded";
    }
    active = next;
  }

  private static boolean isDown(String active) {
    return active.equals("inactive") || active.equals("failed");
  }

  /** The property that holds when a unit entered its active state. */
  static String sinceProperty(String active) {
    return switch (active) {
      case "active", "reloading", "refreshing" -> "ActiveEnterTimestamp";
      case "inactive", "failed" -> "InactiveEnterTimestamp";
      default -> "StateChangeTimestamp";
    };
  }

  private void refresh() {
    long micros =
        switch (sinceProperty(active)) {
          case "ActiveEnterTimestamp" -> activeEnter;
          case "InactiveEnterTimestamp" -> inactiveEnter;
          default -> stateChange;
        };
    Instant since = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    // Only failed units have it read, so that a new process tells the same.
    int exit = active.equals("failed") ? (int) exitStatus : 0;
    boolean exited = exitKind == EXITED;
    state =
        new SystemdState(
            load,
            active,
            sub,
            result,
            invocation,
            restarts,
            since,
            exited ? exit : 0,
            exited ? 0 : exit);
  }

  /**
   * A unit that has ended is forgotten by systemd, and blank when it is loaded again; then what it
   * did last is better to know than nothing.
   *
   * @return whether that is so
   */
  private boolean settle() {
    if (invocation.isEmpty() && isDown(active) && !last.invocation.isEmpty()) {
      recall(last);
      return true;
    }
    last =
        new Run(
            result,
            invocation,
            restarts,
            exitKind,
            exitStatus,
            stateChange,
            activeEnter,
            inactiveEnter);
    return false;
  }

  private void recall(Run run) {
    result = run.result;
    invocation = run.invocation;
    restarts = run.restarts;
    exitKind = run.exitKind;
    exitStatus = run.exitStatus;
    stateChange = run.stateChange;
    activeEnter = run.activeEnter;
    inactiveEnter = run.inactiveEnter;
  }

  private record Run(
      String result,
      String invocation,
      long restarts,
      long exitKind,
      long exitStatus,
      long stateChange,
      long activeEnter,
      long inactiveEnter) {}

  /** Somebody is told the state otherwise, so that the next news cannot be judged by the last. */
  void readByCaller() {
    tellAnyway = true;
  }

  /** Whether the state is another than when this was asked last. */
  boolean takeNews() {
    if (!tellAnyway && state.equals(told)) {
      return false;
    }
    tellAnyway = false;
    told = state;
    return true;
  }
}
