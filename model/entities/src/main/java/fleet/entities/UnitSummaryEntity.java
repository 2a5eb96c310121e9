package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit with its states on all machines, in short. Its fields are those of {@link UnitEntity};
 * absent numbers and flags are null.
 */
@Json
public record UnitSummaryEntity(
    String desiredState,
    String machineID,
    String name,
    String by,
    @Nullable Boolean global,
    @Nullable Long restartCounter,
    String waiting,
    List<String> require,
    String keptOn,
    String set,
    List<StateSummaryEntity> states) {

  public UnitSummaryEntity {
    desiredState = Empty.ifAbsent(desiredState);
    machineID = Empty.ifAbsent(machineID);
    name = Empty.ifAbsent(name);
    by = Empty.ifAbsent(by);
    waiting = Empty.ifAbsent(waiting);
    require = Empty.ifAbsent(require);
    keptOn = Empty.ifAbsent(keptOn);
    set = Empty.ifAbsent(set);
    states = Empty.ifAbsent(states);
  }
}
