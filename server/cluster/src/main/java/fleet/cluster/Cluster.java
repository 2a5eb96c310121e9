package fleet.cluster;

import fleet.core.desired.Unit;
import fleet.core.machine.Maintenance;
import fleet.core.operation.OperationChange;
import fleet.core.operation.OperationId;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.store.StoreHealth;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Commands, queries and changes of the cluster. Queries see every command that was answered before
 * them, or fail if that is uncertain, unless {@link #evenIfStale} is used; their lists are
 * immutable. Safe for use by many threads; commands block until they are durable.
 *
 * <p>Every call throws {@link ClusterUnavailableException} if the cluster cannot answer.
 */
public interface Cluster {

  /**
   * Allows stale reads, for example while the store is out of reach. For commands that only
   * display; never for decisions.
   *
   * @param told called before a stale answer, with the time since when it may be stale
   */
  Cluster evenIfStale(Consumer<Instant> told);

  /** All units, sorted by name. */
  List<UnitView> units();

  Optional<UnitView> unit(UnitName name);

  /** Some units, sorted by name, without those that do not exist. */
  List<UnitView> units(Set<UnitName> names);

  /**
   * Some units as they were submitted, by name, without those that do not exist. Servers answer
   * even if no engine leads.
   */
  Map<UnitName, Unit> stored(Set<UnitName> names);

  /** The same of one unit; empty if it does not exist. */
  default Optional<Unit> stored(UnitName name) {
    return Optional.ofNullable(stored(Set.of(name)).get(name));
  }

  /**
   * The contents that a unit has had, newest first; none if there is no such unit. Servers answer
   * even if no engine leads.
   *
   * @param texts the numbers of those that are to have their file
   */
  List<UnitRevision> history(UnitName unit, Set<Long> texts);

  /**
   * The text of a unit as it was typed, comments included; empty if there is no such unit, or that
   * is its file's own text or is not known. Servers answer even if no engine leads.
   */
  Optional<String> text(UnitName unit);

  /** Why a unit is where it is, or nowhere; empty if there is none. Looks at every machine. */
  Optional<PlacementReasons> why(UnitName unit);

  /**
   * The ids of the present machines that are to have a global unit and do not refuse it, sorted.
   * None for other units, and if nobody wants it to be loaded or started.
   */
  List<String> runsOn(UnitName unit);

  /** All states that machines report, and which are missing. */
  UnitStates states();

  /** All states that machines report, sorted by unit, then machine; to count the missing costs. */
  List<UnitState> reportedStates();

  /** The states of one unit, sorted by machine. */
  default List<UnitState> states(UnitName unit) {
    return states(Set.of(unit));
  }

  /** The states of some units, sorted by unit, then machine. */
  List<UnitState> states(Set<UnitName> units);

  /**
   * Those of some units that a machine was given and reports nothing of, with the machine's id. A
   * destroyed unit is its machine's until that does not have it. Global units are given to no
   * single machine, so none of them is here.
   */
  Map<UnitName, String> unreported(Set<UnitName> units);

  /** All machines that are present, sorted by id. */
  List<MachineView> machines();

  /** The ids of the machines that are present and may decide; others only run units. */
  Set<String> servers();

  /** How many machines, units and states there are: cheaper than to list them. */
  ClusterCounts tally();

  /** The absent machines, and the pause of rescheduling. */
  AbsentMachines absences();

  /**
   * The health of the store, which is asked now: for somebody who wants to know. Empty if the
   * caller may not see it.
   */
  Optional<StoreHealth> storeHealth();

  /** When the engine that answers began to lead; empty if none leads. */
  Optional<Instant> leadsSince();

  /** Operations under way, and finished ones that are still known, sorted by id. */
  List<OperationProgress> operations();

  /** The progress of one operation; empty if there is none with this id. */
  Optional<OperationProgress> operation(OperationId id);

  /** The consequences of an intent; changes nothing. */
  Plan plan(Intent intent);

  /**
   * Creates units, replaces their content, or sets their desired state: each separately, in any
   * order.
   *
   * @param puts at most one for each unit
   * @return the result of each, in their order
   */
  List<PutResult> put(List<UnitPut> puts, Caller caller);

  /** Creates a unit, replaces its content, or sets its desired state. */
  default PutResult put(
      UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired, Caller caller) {
    return put(List.of(new UnitPut(name, file, desired)), caller).getFirst();
  }

  /** Removes a unit if it is as the condition says; its process is stopped later. */
  DestroyResult destroy(UnitName name, DestroyCondition condition, Caller caller);

  /** Removes a unit; its process is stopped later. False if there is none. */
  default boolean destroy(UnitName name, Caller caller) {
    return destroy(name, DestroyCondition.NONE, caller) instanceof DestroyResult.Destroyed;
  }

  /** Restarts a launched unit, ended ones included. */
  StartResult restart(UnitName name, Caller caller);

  /** Starts a launched unit again that has ended, failed or was stopped; leaves a running one. */
  StartResult startAgain(UnitName name, Caller caller);

  /**
   * Changes the metadata of machines, present or not; outlives their absence. Changes of one
   * machine are made together, those of dozens one after the other.
   */
  void changeMetadata(List<MetadataChange> changes, Caller caller);

  /**
   * Cordons a machine, present or not, or uncordons it; its units stay. Outlives the machine's
   * absence. False if nothing changes.
   */
  boolean cordon(String machine, boolean cordoned, Caller caller);

  /**
   * Drains a machine, present or not: cordons it, and moves its units as soon as there are places
   * for them, until it is uncordoned. Outlives the machine's absence. False if nothing changes.
   *
   * @param maxUnavailable how many instances of a template may be down at a time for that
   */
  boolean drain(String machine, int maxUnavailable, Caller caller);

  /**
   * Begins the maintenance of a machine, or gives it another end: its fleetd may be away until
   * then, and its units stay with it. Nothing new comes to it.
   *
   * @return when it ends by itself
   */
  Maintenance maintain(String machine, Duration time, Caller caller);

  /**
   * Ends the maintenance of a machine, present or not; one that is away is lost then. False if it
   * is in none.
   */
  boolean endMaintenance(String machine, Caller caller);

  /** Begins an operation, which the cluster carries out. */
  <R> R begin(NewOperation<R> wanted, Caller caller);

  /**
   * Changes the course of an operation. Cancelling a drain uncordons its machine.
   *
   * @throws IllegalArgumentException if something other than a rollout is to be reverted
   */
  OperationChanged change(OperationId id, OperationChange change, Caller caller);

  /**
   * Lists no longer name a machine once it is lost or has left.
   *
   * @param maybePresent whether it may be there still
   * @return false if they did not name it
   */
  boolean forget(String machine, boolean maybePresent, Caller caller);

  /** Ends a pause of rescheduling: units of lost machines move. False if there is none. */
  boolean resume(Caller caller);

  /** The settings of the whole cluster, sorted by name. */
  List<Setting> settings();

  /**
   * Changes a cluster-wide setting, at once.
   *
   * @return why the value is invalid, and what is valid; empty if it was changed
   */
  Optional<String> set(String setting, String value, Caller caller);

  /**
   * Gives a cluster-wide setting its default back, at once.
   *
   * @return why that is not possible; empty if it has its default now
   */
  Optional<String> unset(String setting, Caller caller);

  /** The registry as it is now, for a backup. */
  ClusterBackup backup();

  /** Puts a question to the machine that has the unit; empty if no such machine is there. */
  Optional<Answer> ask(String machine, Question question);

  /** The changes from some point on, for as long as the stream is open. */
  EventStream follow(EventsFrom from);
}
