package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit. What fleet 1.0 did not have comes after its own fields; absent fields are null.
 *
 * @param require what it asks of machines beside its options, each {@code Option=Value} of {@code
 *     [X-Fleet]}
 * @param keptOn the machine that it stays with though that is not there, and where it may run on
 */
@Json
public record UnitEntity(
    @Nullable String currentState,
    @Nullable String desiredState,
    @Nullable String machineID,
    @Nullable String name,
    @Nullable List<UnitOptionEntity> options,
    @Nullable String by,
    @Nullable Boolean global,
    @Nullable String incarnation,
    @Nullable Boolean refused,
    @Nullable Long restartCounter,
    @Nullable String waiting,
    @Nullable String reason,
    @Nullable List<String> require,
    @Nullable String keptOn)
    implements Entity {

  /** Where nothing is said of why it has its place, and of what it asks beside its options. */
  public UnitEntity(
      @Nullable String currentState,
      @Nullable String desiredState,
      @Nullable String machineID,
      @Nullable String name,
      @Nullable List<UnitOptionEntity> options,
      @Nullable String by,
      @Nullable Boolean global,
      @Nullable String incarnation,
      @Nullable Boolean refused,
      @Nullable Long restartCounter,
      @Nullable String waiting) {
    this(
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
        null,
        null,
        null);
  }

  public UnitEntity {
    currentState = Absent.ifEmpty(currentState);
    desiredState = Absent.ifEmpty(desiredState);
    machineID = Absent.ifEmpty(machineID);
    name = Absent.ifEmpty(name);
    options = Absent.ifEmpty(options);
    by = Absent.ifEmpty(by);
    incarnation = Absent.ifEmpty(incarnation);
    waiting = Absent.ifEmpty(waiting);
    reason = Absent.ifEmpty(reason);
    require = Absent.ifEmpty(require);
    keptOn = Absent.ifEmpty(keptOn);
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
