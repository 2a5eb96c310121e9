package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit. Fields that fleet 1.0 did not have come last; absent numbers and flags are null.
 *
 * @param require what it asks of machines beside its options, each {@code Option=Value} of {@code
 *     [X-Fleet]}
 * @param keptOn the machine that it stays with though that is not there, and where it may run on
 * @param runsOn the present machines that are to have it, if it is global; only if it is asked for
 *     by its name
 * @param text its text as it was typed, comments included, if that is known and asked for; beside
 *     options in a request
 * @param set that {@code apply} keeps it in
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
    String keptOn,
    List<String> runsOn,
    String text,
    String set)
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
    runsOn = Empty.ifAbsent(runsOn);
    text = Empty.ifAbsent(text);
    set = Empty.ifAbsent(set);
  }

  /** A unit in a request or an event: its name and what is to be. */
  public static UnitEntity of(String name, String desired, List<UnitOptionEntity> options) {
    return new UnitEntity(
        "", desired, "", name, options, "", null, "", null, null, "", "", List.of(), "", List.of(),
        "", "");
  }

  /** The same unit, which asks this of machines beside its options. */
  public UnitEntity withRequire(List<String> asked) {
    return with(machineID, asked, runsOn, text, set);
  }

  /** The same unit, which is to be on these machines. */
  public UnitEntity withRunsOn(List<String> machines) {
    return with(machineID, require, machines, text, set);
  }

  /** The same unit, placed on a machine. */
  public UnitEntity withMachine(String machine) {
    return with(machine, require, runsOn, text, set);
  }

  /** The same unit with its text as it was typed. */
  public UnitEntity withText(String typed) {
    return with(machineID, require, runsOn, typed, set);
  }

  /** The same unit, which is in this set, or is to be. */
  public UnitEntity withSet(String other) {
    return with(machineID, require, runsOn, text, other);
  }

  private UnitEntity with(
      String machine, List<String> asked, List<String> machines, String typed, String in) {
    return new UnitEntity(
        currentState,
        desiredState,
        machine,
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
        keptOn,
        machines,
        typed,
        in);
  }
}
