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
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster port as this fleetd serves it: from its engine while that leads. Safe for use by many
 * threads.
 */
public final class CurrentCluster implements Cluster, Leadership.Candidate, AutoCloseable {

  private final Registry registry;
  private final EngineCoordination coordination;
  private final EngineSettings settings;
  private final Clock clock;
  private final EventLoop.Starter loops;
  private final Consumer<String> onFatal;
  private final Supplier<String> ids;
  private @Nullable Engine engine;
  private @Nullable LeaderCluster cluster;

  /**
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
    this.registry = registry;
    this.coordination = coordination;
    this.settings = settings;
    this.clock = clock;
    this.loops = loops;
    this.onFatal = onFatal;
    this.ids = ids;
  }

  @Override
  public synchronized void lead(Leadership.Term term) {
    var leading =
        new Engine(
            registry, coordination, settings, clock, loops, ids.get(), onFatal);
    leading.start();
    engine = leading;
    cluster =
        new LeaderCluster(
            leading,
            coordination,
            new UnitCommands(registry, clock, () -> new Incarnation(ids.get())),
            new MachineCommands(registry));
  }

  @Override
  public synchronized void retire(String why) {
    if (engine != null) {
      engine.close();
    }
    engine = null;
    cluster = null;
  }

  /** Whether the engine, where it leads, gets round to new work within the time. */
  public boolean answersWithin(Duration time) throws InterruptedException {
    Engine leading = leading();
    return leading == null || leading.answersWithin(time);
  }

  private synchronized @Nullable Engine leading() {
    return engine;
  }

  private synchronized LeaderCluster current() {
    if (cluster == null) {
      throw new ClusterUnavailableException("no engine leads: waiting for one");
    }
    return cluster;
  }

  @Override
  public List<UnitView> units() {
    return current().units();
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return current().unit(name);
  }

  @Override
  public List<UnitState> states() {
    return current().states();
  }

  @Override
  public List<UnitState> states(UnitName unit) {
    return current().states(unit);
  }

  @Override
  public List<Machine> machines() {
    return current().machines();
  }

  @Override
  public PutResult put(
      UnitName name, Optional<UnitFile> file, Optional<DesiredState> desired, Caller caller) {
    return current().put(name, file, desired, caller);
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return current().destroy(name, caller);
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    return current().restart(name, caller);
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    return current().startAgain(name, caller);
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    current().changeMetadata(changes, caller);
  }

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return current().ask(machine, question);
  }

  @Override
  public EventStream follow(Optional<EventId> after) {
    return current().follow(after);
  }

  @Override
  public void close() {
    retire("fleetd stops");
  }
}
