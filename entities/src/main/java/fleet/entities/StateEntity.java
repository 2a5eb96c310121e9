package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The state of one unit as its machine reports it. Fields that fleet 1.0 did not have come after
 * its own; absent fields are null.
 */
@Json
public record StateEntity(
    @Nullable String hash,
    @Nullable String machineID,
    @Nullable String name,
    @Nullable String systemdActiveState,
    @Nullable String systemdLoadState,
    @Nullable String systemdSubState,
    @Nullable String incarnation,
    @Nullable String invocationID,
    @Nullable String performed,
    @Nullable String problem,
    @Nullable Long restartCounter,
    @Nullable Long restarts,
    @Nullable String result,
    @Nullable String since)
    implements Entity {

  public StateEntity {
    hash = Absent.ifEmpty(hash);
    machineID = Absent.ifEmpty(machineID);
    name = Absent.ifEmpty(name);
    systemdActiveState = Absent.ifEmpty(systemdActiveState);
    systemdLoadState = Absent.ifEmpty(systemdLoadState);
    systemdSubState = Absent.ifEmpty(systemdSubState);
    incarnation = Absent.ifEmpty(incarnation);
    invocationID = Absent.ifEmpty(invocationID);
    performed = Absent.ifEmpty(performed);
    problem = Absent.ifEmpty(problem);
    result = Absent.ifEmpty(result);
    since = Absent.ifEmpty(since);
  }
}
