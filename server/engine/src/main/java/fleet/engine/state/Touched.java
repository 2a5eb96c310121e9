package fleet.engine.state;

import fleet.core.machine.Machine;
import fleet.core.offer.Bid;
import fleet.core.state.AgentReport;
import fleet.core.unit.UnitName;
import fleet.registry.records.CommandRecord;
import fleet.registry.records.ConfigRecord;
import java.util.Set;

/** The subject of a changed key of the registry. */
public sealed interface Touched {

  record Nothing() implements Touched {}

  record OfUnits(Set<UnitName> units) implements Touched {
    static OfUnits one(UnitName unit) {
      return new OfUnits(Set.of(unit));
    }
  }

  /** A file that these units lacked is present. */
  record Mended(Set<UnitName> units) implements Touched {}

  /** The reason for a placement; the entry in the schedule comes with it. */
  record PlacedBecause(UnitName unit, String why) implements Touched {}

  /** A record of a command. */
  record Commanded(CommandRecord command) implements Touched {}

  record Scheduled(UnitName unit, String machine) implements Touched {}

  /** A rollout has changed, or is gone. */
  record Rollout(UnitName name) implements Touched {}

  /**
   * The rebalance has changed.
   *
   * @param units that it may concern, or did
   */
  record Rebalanced(Set<UnitName> units) implements Touched {}

  record Global(UnitName unit) implements Touched {}

  /** A setting of a machine has changed. */
  record OfMachine(String machine) implements Touched {}

  /** A machine is present; not yet applied to the state. */
  record Came(Machine machine) implements Touched {}

  /**
   * A machine is no longer present; not yet applied to the state.
   *
   * @param left whether it said that it goes
   */
  record Went(String machine, boolean left) implements Touched {}

  /** A machine reports a unit; not yet applied to the state. */
  record Reported(String machine, AgentReport report) implements Touched {}

  /** A machine no longer reports a unit; not yet applied to the state. */
  record Withdrawn(String machine, UnitName unit) implements Touched {}

  /** A cluster-wide setting has changed, or was set again. */
  record Configured(String setting, ConfigRecord now) implements Touched {}

  /** A cluster-wide setting was removed. */
  record Unconfigured() implements Touched {}

  /** A unit is offered to machines through the store, or not any more. */
  record Offered(UnitName unit, boolean withdrawn) implements Touched {}

  /** A machine answers an offer; the state does not change. */
  record Bidden(String machine, Bid bid) implements Touched {}

  /** The leader has changed. */
  record Leader() implements Touched {}

  /** The pause of rescheduling has changed. */
  record Pause() implements Touched {}
}
