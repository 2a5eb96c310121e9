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
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The cluster port as this fleetd serves it: commands go to the registry, whoever leads. Queries go
 * to the picture of this fleetd's engine while that leads, and else to one that is loaded for them.
 * Safe for use by many threads.
 */
public final class CurrentCluster implements Cluster, Leadership.Candidate, AutoCloseable {

  private final EngineCoordination coordination;
  private final Pictures pictures;
  private final UnitCommands unitCommands;
  private final MachineCommands machineCommands;

  /**
   * @param registry where machines share it, this serves readers also while another engine leads
   * @param onFatal told why this cannot go on: a new process must take over
   */
  public CurrentCluster(
      Registry registry,
      EngineCoordination coordination,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      Consumer<String> onFatal) {
    this(
        registry,
        coordination,
        settings,
        clock,
        loops,
        onFatal,
        () -> UUID.randomUUID().toString());
  }

  /**
   * @param ids makes an id at each call that is unlike any other, for incarnations and epochs
   */
  public CurrentCluster(
      Registry registry,
      EngineCoordination coordination,
      EngineSettings settings,
      Clock clock,
      EventLoop.Starter loops,
      Consumer<String> onFatal,
      Supplier<String> ids) {
    this.coordination = coordination;
    this.pictures = new Pictures(registry, coordination, settings, clock, loops, ids, onFatal);
    this.unitCommands = new UnitCommands(registry, clock, () -> new Incarnation(ids.get()));
    this.machineCommands = new MachineCommands(registry);
  }

  // ---- who leads

  @Override
  public void lead(Leadership.Term term) {
    pictures.lead(term);
  }

  @Override
  public void retire(String why) {
    pictures.retire(why);
  }

  /**
   * Where this engine leads, returns once a machine that leaves has left and its units are given to
   * others: nobody else would do it sooner.
   *
   * @throws ClusterUnavailableException where that takes longer
   */
  public void awaitDeparture(String machine, Duration atMost) {
    pictures.awaitDeparture(machine, atMost);
  }

  /** Whether the engine, where it leads, gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    return pictures.answersWithin(time);
  }

  @Override
  public void close() {
    pictures.close();
  }

  // ---- queries

  @Override
  public List<UnitView> units() {
    return pictures.query(reading -> reading.views().all());
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return pictures.query(reading -> reading.views().of(name));
  }

  @Override
  public List<UnitState> states() {
    return pictures.query(reading -> {
      List<UnitState> states = new ArrayList<>();
      for (Map<String, UnitState> byMachine : reading.picture().states()) {
        states.addAll(byMachine.values());
      }
      return states;
    });
  }

  @Override
  public List<UnitState> states(UnitName unit) {
    return pictures.query(reading -> List.copyOf(reading.picture().states(unit).values()));
  }

  @Override
  public List<Machine> machines() {
    return pictures.query(reading -> List.copyOf(reading.picture().machines()));
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    try {
      return coordination.ask(machine, question);
    } catch (RegistryException e) {
      throw new ClusterUnavailableException(e.getMessage(), e);
    }
  }

  @Override
  public EventStream follow(Optional<EventId> after) {
    return pictures.follow(after);
  }

  // ---- commands

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
    pictures.awaitRevision(machineCommands.changeMetadata(changes));
  }

  /** Gives a command's result once queries see what it did. */
  private <T> T seen(Done<T> done) throws ClusterUnavailableException {
    pictures.awaitRevision(done.revision());
    return done.result();
  }
}
