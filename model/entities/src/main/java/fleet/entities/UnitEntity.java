package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit. What fleet 1.0 did not have comes after its own fields; absent numbers and flags are
 * null.
 *
 * @param require what it asks of machines beside its options, each {@code Option=Value} of {@code
 *     [X-Fleet]}
 * @param keptOn the machine that it stays with though that is not there, and where it may run on
 */
@Json
public record UnitEntity(
    String currentState,
    String desiredState,
    String machineID,
    String name,
    List<UnitOptionEntity> options,
    String by,
    @Nullable Boolean global,
    String incarnation,
    @Nullable Boolean refused,
    @Nullable Long restartCounter,
    String waiting,
    String reason,
    List<String> require,
    String keptOn)
    implements Entity {

  public UnitEntity {
    currentState = Empty.ifAbsent(currentState);
    desiredState = Empty.ifAbsent(desiredState);
    machineID = Empty.ifAbsent(machineID);
    name = Empty.ifAbsent(name);
    options = Empty.ifAbsent(options);
    by = Empty.ifAbsent(by);
    incarnation = Empty.ifAbsent(incarnation);
    waiting = Empty.ifAbsent(waiting);
    reason = Empty.ifAbsent(reason);
    require = Empty.ifAbsent(require);
    keptOn = Empty.ifAbsent(keptOn);
  }

  /** A unit in a request or an event: its name and what is to be. */
  public static UnitEntity of(String name, String desired, List<UnitOptionEntity> options) {
    return new UnitEntity(
        "", desired, "", name, options, "", null, "", null, null, "", "", List.of(), "");
  }

  /** The same unit, which asks this of machines beside its options. */
  public UnitEntity withRequire(List<String> asked) {
    return new UnitEntity(
        currentState,
        desiredState,
        machineID,
        name,
        options,
        by,
        global,
        incarnation,
        refused,
        restartCounter,
        waiting,
        reason,
        asked,
        keptOn);
  }
}
