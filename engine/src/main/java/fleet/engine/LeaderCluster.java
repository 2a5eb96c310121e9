package fleet.engine;

import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventId;
import fleet.cluster.EventStream;
import fleet.cluster.MetadataChange;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitView;
import fleet.coordination.EngineCoordination;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster port, served by the leading engine: commands to the registry, queries to the picture.
 */
public final class LeaderCluster implements Cluster {

  private final Engine engine;
  private final EngineCoordination coordination;
  private final UnitCommands unitCommands;
  private final MachineCommands machineCommands;

  public LeaderCluster(
      Engine engine,
      EngineCoordination coordination,
      UnitCommands unitCommands,
      MachineCommands machineCommands) {
    this.engine = engine;
    this.coordination = coordination;
    this.unitCommands = unitCommands;
    this.machineCommands = machineCommands;
  }

  @Override
  public List<UnitView> units() {
    return engine.query(reading -> reading.views().all());
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return engine.query(reading -> reading.views().of(name));
  }

  @Override
  public List<UnitState> states() {
    return engine.query(reading -> {
      List<UnitState> states = new ArrayList<>();
      for (Map<String, UnitState> byMachine : reading.picture().states()) {
        states.addAll(byMachine.values());
      }
      return states;
    });
  }

  @Override
  public List<UnitState> states(UnitName unit) {
    return engine.query(reading -> List.copyOf(reading.picture().states(unit).values()));
  }

  @Override
  public List<Machine> machines() {
    return engine.query(reading -> List.copyOf(reading.picture().machines()));
  }

  @Override
  public PutResult put(
      UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired, Caller caller) {
    return seen(unitCommands.put(name, file, desired, caller));
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return seen(unitCommands.destroy(name, caller));
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    return seen(unitCommands.startAnew(name, caller));
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    long asked =
        unit(name)
            .map(UnitView::unit)
            .filter(unit -> unit.desired() == DesiredState.LAUNCHED)
            .map(unit -> unit.restartCounter())
            .orElse(0L);
    boolean runs = states(name).stream().anyMatch(state -> runs(state, asked));
    return runs ? StartResult.RUNNING : restart(name, caller);
  }

  /** Also where the last start that was asked for is still to be carried out. */
  private static boolean runs(UnitState state, long asked) {
    return state.systemd().isActive()
        || state.systemd().active().equals("activating")
        || state.restartCounter() < asked;
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    engine.awaitRevision(machineCommands.changeMetadata(changes));
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return coordination.ask(machine, question);
  }

  @Override
  public EventStream follow(Optional<EventId> after) {
    return engine.events().follow(after);
  }

  /** Gives a command's result once queries see what it did. */
  private <T> T seen(Done<T> done) throws ClusterUnavailableException {
    engine.awaitRevision(done.revision());
    return done.result();
  }
}
