package fleet.simulation.store;

import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.Registry;
import fleet.registry.RegistryContract;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;

/**
 * The simulated store keeps the contract of every registry. The contract's threads are of the real
 * world: they reach into a simulation that runs, as fast as it can, on a thread of its own.
 */
class SimulatedStoreTest extends RegistryContract {

  private static final BlockingQueue<Runnable> INBOX = new LinkedBlockingQueue<>();
  private static final CompletableFuture<Simulation> WORLD = new CompletableFuture<>();

  private final CompletableFuture<StoreServer> server = new CompletableFuture<>();

  @BeforeAll
  static void begin() {
    Thread.ofPlatform().name("world").daemon().start(SimulatedStoreTest::live);
  }

  private static void live() {
    var simulation = new Simulation(1, INBOX::add);
    WORLD.complete(simulation);
    try {
      while (true) {
        INBOX.take().run();
        simulation.runToTheEnd();
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T inside(Supplier<T> work) {
    var result = new CompletableFuture<T>();
    INBOX.add(() -> result.complete(work.get()));
    return result.join();
  }

  @Override
  protected Registry open() {
    Simulation simulation = WORLD.join();
    if (!server.isDone()) {
      server.complete(inside(() -> new StoreServer(simulation)));
    }
    return inside(() -> {
      var process = new SimulatedProcess(simulation, "test");
      var link = new StoreConnection(simulation);
      return new FromOutside(
          process, new SimulatedStore(server.join(), process, link, Duration.ofSeconds(1)));
    });
  }

  @Override
  protected void forgetChanges() {
    boolean _ =
        inside(() -> {
          server.join().compact();
          return true;
        });
  }

  /** Has every call made by a simulated thread. */
  private static final class FromOutside implements Registry {

    private final SimulatedProcess process;
    private final SimulatedStore store;

    FromOutside(SimulatedProcess process, SimulatedStore store) {
      this.process = process;
      this.store = store;
    }

    private <T> T call(Supplier<T> work) {
      if (process.simulation().isInside()) {
        return work.get();
      }
      var result = new CompletableFuture<T>();
      INBOX.add(() ->
          process.spawn(
              "call",
              () -> {
                try {
                  result.complete(work.get());
                } catch (RuntimeException e) {
                  result.completeExceptionally(e);
                }
              }));
      try {
        return result.join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw e;
      }
    }

    private void run(Runnable work) {
      boolean _ =
          call(() -> {
            work.run();
            return true;
          });
    }

    @Override
    public String storeId() {
      return store.storeId();
    }

    @Override
    public Optional<Entry> get(String key) {
      return call(() -> store.get(key));
    }

    @Override
    public Snapshot read(String prefix) {
      return call(() -> store.read(prefix));
    }

    @Override
    public Outcome commit(Transaction transaction) {
      return call(() -> store.commit(transaction));
    }

    @Override
    public Watch watch(String prefix, Snapshot from, Watcher watcher) {
      Watch watch = call(() -> store.watch(prefix, from, watcher));
      return () -> run(watch::close);
    }

    @Override
    public void close() {
      run(store::close);
    }
  }
}
