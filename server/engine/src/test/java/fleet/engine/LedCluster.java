package fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.AbsentMachines;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.Event;
import fleet.cluster.EventStream;
import fleet.cluster.UnitView;
import fleet.coordination.Certainty;
import fleet.coordination.CompositeCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.coordination.Leadership.Term;
import fleet.coordination.local.LocalCoordination;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.testing.Await;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.registry.Transaction;
import fleet.registry.embedded.EmbeddedRegistry;
import fleet.registry.records.Keys;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * A store and an engine that leads, with machines that speak through the store and machines that
 * speak to the leader, as a test tells them.
 */
final class LedCluster implements AutoCloseable {

  static final Caller CALLER = new Caller("user test");

  final EmbeddedRegistry registry;
  final ScriptedStore store;
  private CurrentCluster cluster;
  private long token;
  private LocalCoordination direct = new LocalCoordination();

  /** Machines that the engine has refused, as another of the same id was there. */
  final BlockingQueue<String> refused = new LinkedBlockingQueue<>();

  LedCluster(Path directory, EngineSettings settings) {
    registry = EmbeddedRegistry.open(directory);
    store = new ScriptedStore(registry);
    cluster = engine(settings);
    begin(true);
  }

  private CurrentCluster engine(EngineSettings settings) {
    return engine(settings, EventThread::new);
  }

  private CurrentCluster engine(EngineSettings settings, EventLoop.Factory loops) {
    return new CurrentCluster(
        store,
        new CompositeCoordination(List.of(direct, new Refusals())),
        Certainty.ALWAYS,
        settings,
        Clock.systemUTC(),
        loops,
        why -> {
          throw new AssertionError(why);
        });
  }

  private void begin(boolean spokenTo) {
    var _ = registry.commit(Transaction.when().delete(Keys.LEADER).build());
    token = registry.commit(Transaction.when().put(Keys.LEADER, "{}").build()).revision();
    cluster.lead(new Term(token, true, spokenTo));
  }

  /** The leader's fleetd is killed, and its next one is back before anybody else leads. */
  void sameLeadsAgain(EngineSettings settings) {
    cluster.close();
    direct = new LocalCoordination();
    cluster = engine(settings);
    cluster.lead(new Term(token, true));
  }

  /** The leader dies; between it and the next, something may happen. */
  void leaderDies() {
    cluster.close();
  }

  /** Another engine leads, to which no machine speaks yet. */
  void anotherLeads(EngineSettings settings) {
    anotherLeads(settings, true);
  }

  /**
   * @param spokenTo whether machines may have spoken to the leader before
   */
  void anotherLeads(EngineSettings settings, boolean spokenTo) {
    cluster.close();
    direct = new LocalCoordination();
    cluster = engine(settings);
    begin(spokenTo);
  }

  /**
   * Another engine leads, which has stood by warm; between the leader's end and its lead, something
   * may happen.
   */
  void theWarmOneLeads(EngineSettings settings, Runnable meanwhile) {
    direct = new LocalCoordination();
    CurrentCluster next = engine(settings);
    next.keepReady(true);
    var _ = next.units();
    int reads = store.reads();
    cluster.close();
    meanwhile.run();
    cluster = next;
    begin(true);
    if (store.reads() != reads) {
      throw new AssertionError("what was at hand is read again");
    }
  }

  CurrentCluster cluster() {
    return cluster;
  }

  /** Serves readers and does not lead. */
  CurrentCluster follower() {
    return engine(EngineSettings.of(Duration.ofHours(1)));
  }

  CurrentCluster follower(EngineSettings settings, EventLoop.Factory loops) {
    return engine(settings, loops);
  }

  StoredMachine stored(String id) {
    return stored(id, "boot");
  }

  StoredMachine stored(String id, String bootId) {
    return new StoredMachine(store, registry, id, bootId).present(Map.of(), Isolation.KEEP);
  }

  ScriptedAgent direct(String id) {
    return direct(id, "boot");
  }

  ScriptedAgent direct(String id, String bootId) {
    return new ScriptedAgent(direct, id, bootId, Map.of());
  }

  /** The leases of machines end in one moment. */
  void silent(String... machines) {
    var transaction = Transaction.when();
    for (String machine : machines) {
      registry
          .read(Keys.states(machine))
          .entries()
          .forEach(entry -> transaction.delete(entry.key()));
      transaction.delete(Keys.machine(machine));
    }
    var _ = registry.commit(transaction.build());
  }

  void launch(UnitName name) {
    launch(name, "[Service]\nExecStart=/bin/sleep 1000\n");
  }

  void launch(UnitName name, String text) {
    try {
      var _ =
          cluster.put(
              name, Optional.of(UnitFile.parse(text)), Optional.of(DesiredState.LAUNCHED), CALLER);
    } catch (UnitFileSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  UnitView awaitView(UnitName name, Predicate<UnitView> condition) throws InterruptedException {
    return awaitView(cluster, name, condition);
  }

  static UnitView awaitView(Cluster of, UnitName name, Predicate<UnitView> condition)
      throws InterruptedException {
    return Await.value(() -> of.unit(name), unit -> unit.filter(condition).isPresent())
        .orElseThrow();
  }

  AbsentMachines awaitAbsences(Predicate<AbsentMachines> condition) throws InterruptedException {
    return awaitAbsences(cluster, condition);
  }

  static AbsentMachines awaitAbsences(CurrentCluster of, Predicate<AbsentMachines> condition)
      throws InterruptedException {
    return Await.value(of::absences, condition);
  }

  /**
   * Returns the events up to one that has happened or is about to.
   *
   * @throws AssertionError if nothing more is told before
   */
  static List<Event.Body> eventsUpTo(EventStream events, Event.Body last)
      throws InterruptedException {
    List<Event.Body> told = new ArrayList<>();
    while (!told.contains(last)) {
      List<Event> next = events.next(Duration.ofMinutes(5));
      assertThat(next).as("what is told after %s", told).isNotEmpty();
      next.forEach(event -> told.add(event.body()));
    }
    return told;
  }

  /** Notes who is refused; no machine comes in this way. */
  private final class Refusals extends Muted {
    @Override
    public void occupied(Machine duplicate, Machine there) {
      refused.add(duplicate.bootId() + " for " + there.bootId());
    }

    @Override
    public void vacant(String machine) {
      refused.add(machine + " is vacant");
    }
  }

  @Override
  public void close() {
    cluster.close();
    registry.close();
  }
}
