package fleet.engine.state;

import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.operation.OperationId;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.ConfigRecord;
import java.util.Set;

/** The subject of a changed key of the registry. */
public sealed interface ChangedSubject {

  record Nothing() implements ChangedSubject {}

  record OfUnits(Set<UnitName> units) implements ChangedSubject {
    static OfUnits one(UnitName unit) {
      return new OfUnits(Set.of(unit));
    }
  }

  /** A file that these units lacked is present. */
  record Mended(Set<UnitName> units) implements ChangedSubject {}

  /** The reason for a placement; the entry in the schedule comes with it. */
  record PlacedBecause(UnitName unit, String why) implements ChangedSubject {}

  /** A record of a command. */
  record Commanded(CommandRecord command) implements ChangedSubject {}

  record Scheduled(UnitName unit, String machine) implements ChangedSubject {}

  /**
   * An operation has changed, or is gone.
   *
   * @param units that it is to move, or was
   */
  record OfOperation(OperationId id, Set<UnitName> units) implements ChangedSubject {}

  record Global(UnitName unit) implements ChangedSubject {}

  /** A setting of a machine has changed. */
  record OfMachine(String machine) implements ChangedSubject {}

  /** A machine is present; not yet applied to the state. */
  record Came(Machine machine) implements ChangedSubject {}

  /**
   * A machine is no longer present; not yet applied to the state.
   *
   * @param left whether it said that it goes
   */
  record Went(String machine, boolean left) implements ChangedSubject {}

  /** A machine reports a unit; not yet applied to the state. */
  record Reported(String machine, AgentReport report) implements ChangedSubject {}

  /** A machine no longer reports a unit; not yet applied to the state. */
  record Withdrawn(String machine, UnitName unit) implements ChangedSubject {}

  /** A cluster-wide setting has changed, or was set again. */
  record Configured(String setting, ConfigRecord now) implements ChangedSubject {}

  /** A cluster-wide setting was removed. */
  record Unconfigured() implements ChangedSubject {}

  /** A unit is offered to machines through the store, or not any more. */
  record Offered(UnitName unit, boolean withdrawn) implements ChangedSubject {}

  /** A machine answers an offer; the state does not change. */
  record Bidden(String machine, Bid bid) implements ChangedSubject {}

  /** The leader has changed. */
  record Leader() implements ChangedSubject {}

  /** The pause of rescheduling has changed. */
  record Pause() implements ChangedSubject {}
}
