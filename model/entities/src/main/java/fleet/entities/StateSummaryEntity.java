package fleet.entities;

import io.avaje.jsonb.Json;
import org.jspecify.annotations.Nullable;

/**
 * A state of the unit that it stands in, in short. Its fields are those of {@link StateEntity};
 * absent numbers are null.
 *
 * @param restarts absent for none
 * @param result absent for {@code success}
 */
@Json
public record StateSummaryEntity(
    String machineID,
    String systemdActiveState,
    String systemdSubState,
    String problem,
    @Nullable Long restarts,
    String result,
    String since,
    @Nullable Integer exitCode,
    @Nullable Integer exitSignal) {

  public StateSummaryEntity {
    machineID = Empty.ifAbsent(machineID);
    systemdActiveState = Empty.ifAbsent(systemdActiveState);
    systemdSubState = Empty.ifAbsent(systemdSubState);
    problem = Empty.ifAbsent(problem);
    result = Empty.ifAbsent(result);
    since = Empty.ifAbsent(since);
  }
}
