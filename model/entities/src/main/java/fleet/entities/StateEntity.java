package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * The state of one unit as its machine reports it. Fields that fleet 1.0 did not have come after
 * its own; absent numbers are null.
 *
 * @param exitCode of the main process of a service that failed; absent if it did not exit by itself
 * @param exitSignal the number of the signal that ended it; absent for none
 */
@Json
public record StateEntity(
    String hash,
    String machineID,
    String name,
    String systemdActiveState,
    String systemdLoadState,
    String systemdSubState,
    String incarnation,
    String invocationID,
    String performed,
    String problem,
    @Nullable Long restartCounter,
    @Nullable Long restarts,
    String result,
    String since,
    @Nullable Integer exitCode,
    @Nullable Integer exitSignal)
    implements Entity {

  public StateEntity {
    hash = Empty.ifAbsent(hash);
    machineID = Empty.ifAbsent(machineID);
    name = Empty.ifAbsent(name);
    systemdActiveState = Empty.ifAbsent(systemdActiveState);
    systemdLoadState = Empty.ifAbsent(systemdLoadState);
    systemdSubState = Empty.ifAbsent(systemdSubState);
    incarnation = Empty.ifAbsent(incarnation);
    invocationID = Empty.ifAbsent(invocationID);
    performed = Empty.ifAbsent(performed);
    problem = Empty.ifAbsent(problem);
    result = Empty.ifAbsent(result);
    since = Empty.ifAbsent(since);
  }

  /** A state that names its unit and machine alone. */
  public static StateEntity of(String name, String machine) {
    return new StateEntity(
        "", machine, name, "", "", "", "", "", "", "", null, null, "", "", null, null);
  }
}
