package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.List;
import java.util.Optional;

/**
 * Commands, queries and changes of the cluster, whoever serves them. Queries see every command that
 * was answered before them. Safe for use by many threads; commands block until they are durable.
 *
 * <p>Every call throws {@link ClusterUnavailableException} where the cluster cannot answer.
 */
public interface Cluster {

  /** All units, sorted by name. */
  List<UnitView> units();

  Optional<UnitView> unit(UnitName name);

  /** All states that machines report, sorted by unit, then machine. */
  List<UnitState> states();

  List<UnitState> states(UnitName unit);

  /** All machines that are present, sorted by id, with the metadata in force. */
  List<Machine> machines();

  /** Creates a unit, replaces its content, or sets its desired state: what the arguments say. */
  PutResult put(
      UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired, Caller caller);

  /** Removes a unit; its process is stopped by and by. False where there is none. */
  boolean destroy(UnitName name, Caller caller);

  /** Restarts a launched unit, ended ones included. */
  StartResult restart(UnitName name, Caller caller);

  /** Starts a launched unit again that has ended, failed or was stopped; leaves a running one. */
  StartResult startAgain(UnitName name, Caller caller);

  /** Changes the metadata of machines, present or not; outlives their absence. */
  void changeMetadata(List<MetadataChange> changes, Caller caller);

  /** Puts a question to the machine that has the unit; empty where no such machine is there. */
  Optional<Answer> ask(String machine, Question question);

  /**
   * The changes after a position, for as long as the stream is open.
   *
   * @param after where an earlier stream ended; empty to begin with what happens from now on. Where
   *     what follows it is not kept, or not known, the stream begins with a {@link Event.Gap}
   */
  EventStream follow(Optional<EventId> after);
}
