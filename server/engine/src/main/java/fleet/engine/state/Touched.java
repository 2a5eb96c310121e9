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

  /** A file that these units lacked is there. */
  record Mended(Set<UnitName> units) implements Touched {}

  /** The reason for a placement; the entry in the schedule comes with it. */
  record PlacedBecause(UnitName unit, String why) implements Touched {}

  /** Somebody asked for something. */
  record Commanded(CommandRecord command) implements Touched {}

  record Scheduled(UnitName unit, String machine) implements Touched {}

  /** A rollout is another than it was, or is there no more. */
  record Rollout(UnitName name) implements Touched {}

  /**
   * There is another rebalance, or something else to say of it.
   *
   * @param units that it may concern, or did
   */
  record Rebalanced(Set<UnitName> units) implements Touched {}

  record Global(UnitName unit) implements Touched {}

  /** A setting of a machine is different. */
  record OfMachine(String machine) implements Touched {}

  /** A machine says that it is there; the state is yet to be told. */
  record Came(Machine machine) implements Touched {}

  /**
   * A machine no longer says that it is there; the state is yet to be told.
   *
   * @param left whether it said that it goes
   */
  record Went(String machine, boolean left) implements Touched {}

  /** A machine reports; the state is yet to be told. */
  record Reported(String machine, AgentReport report) implements Touched {}

  /** A machine has nothing more to say of a unit; the state is yet to be told. */
  record Withdrawn(String machine, UnitName unit) implements Touched {}

  /** A setting of the whole cluster is different, or was set again. */
  record Configured(String setting, ConfigRecord now) implements Touched {}

  /** The settings of the whole cluster are different, as one was taken away. */
  record Unconfigured() implements Touched {}

  /** A unit is offered to machines through the store, or not any more. */
  record Offered(UnitName unit, boolean withdrawn) implements Touched {}

  /** A machine answers an offer; the state is not to be told. */
  record Bidden(String machine, Bid bid) implements Touched {}

  /** The leader is different. */
  record Leader() implements Touched {}

  /** Whether rescheduling pauses is different. */
  record Pause() implements Touched {}
}
