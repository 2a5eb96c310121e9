package fleet.engine.state;

import fleet.core.desired.Unit;
import fleet.core.requirements.Requirements;
import fleet.core.schedule.TargetState;
import fleet.core.state.DesiredState;
import fleet.registry.records.UnitRecord;
import fleet.registry.records.UnknownFields;

/**
 * A unit of the registry with what it asks for.
 *
 * @param sha256 names its file in the store
 * @param stored the other fields of its key
 */
public record KnownUnit(Unit unit, String sha256, Requirements requirements, Stored stored) {

  /**
   * The fields of a unit's key beside those that people set.
   *
   * @param revision that wrote it last
   * @param ended the restart counter of the start that had run to its end when its machine went
   * @param author who gave it its content, if somebody else has changed it since
   * @param source the file with its text as it was typed; empty if it has no other than its own
   * @param set that {@code apply} keeps it in; empty if none
   * @param highestCounter that machines may have had by a restart in turns; 0 if it is the unit's
   */
  public record Stored(
      long revision,
      long ended,
      String author,
      String source,
      String set,
      long highestCounter,
      UnknownFields unknown) {

    static Stored of(UnitRecord record, long revision) {
      UnknownFields unknown = record.unknown();
      return new Stored(
          revision,
          record.ended(),
          record.author(),
          record.source(),
          record.set(),
          record.highestCounter(),
          unknown.values().isEmpty() ? UnknownFields.NONE : unknown);
    }
  }

  /** Whether it is to be on a machine. */
  public boolean wantsPlace() {
    return unit.desired() != DesiredState.INACTIVE;
  }

  /**
   * Whether it is launched, and the machine on which it ran to its end is gone. It is loaded
   * elsewhere, and runs there once another start is requested.
   */
  public boolean hasEnded() {
    return unit.desired() == DesiredState.LAUNCHED
        && stored.ended() != 0
        && stored.ended() == unit.restartCounter();
  }

  /** The target for a machine that has the unit. */
  public TargetState target() {
    return switch (unit.desired()) {
      case INACTIVE -> TargetState.STOPPING;
      case LOADED -> TargetState.LOADED;
      case LAUNCHED -> hasEnded() ? TargetState.LOADED : TargetState.LAUNCHED;
    };
  }

  /** The value of its key. */
  public UnitRecord record() {
    return new UnitRecord(
        unit.incarnation(),
        sha256,
        unit.file().hash(),
        unit.desired(),
        unit.restartCounter(),
        unit.by(),
        unit.created(),
        unit.require(),
        stored.ended(),
        stored.author(),
        stored.source(),
        stored.set(),
        stored.highestCounter(),
        stored.unknown());
  }
}
