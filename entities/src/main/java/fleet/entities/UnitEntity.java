package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A unit. What fleet 1.0 did not have comes after its own fields; absent fields are null. */
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
    @Nullable String reason)
    implements Entity {

  /** Where nothing is said of why it has its place. */
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
  }
}
