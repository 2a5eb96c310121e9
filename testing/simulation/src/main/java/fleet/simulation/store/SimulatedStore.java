package fleet.simulation.store;

import fleet.registry.Entry;
import fleet.registry.Lease;
import fleet.registry.Outcome;
import fleet.registry.OutcomeUnknownException;
import fleet.registry.RegistryException;
import fleet.registry.SharedRegistry;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.Transaction.Write;
import fleet.registry.Watch;
import fleet.registry.Watcher;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One process's connection to the store. Requests and answers take time, get lost when the link is
 * cut, and may arrive long after nobody waits for them any more. As on etcd, a commit whose answer
 * is lost is settled if the store is back soon; it is never carried out after a later one of the
 * same machine.
 */
public final class SimulatedStore implements SharedRegistry {

  private static final Duration LATEST_ARRIVAL = Duration.ofSeconds(6);
  private static final String OUT_OF_REACH = "the store is out of reach";

  private final StoreServer server;
  private final SimulatedProcess process;
  private final StoreConnection link;
  private final Duration timeout;
  private final List<SimulatedWatch> watches = new ArrayList<>();
  private boolean closed;

  /**
   * @param timeout after which a request that nobody answers has failed
   */
  public SimulatedStore(
      StoreServer server, SimulatedProcess process, StoreConnection link, Duration timeout) {
    this.server = server;
    this.process = process;
    this.link = link;
    this.timeout = timeout;
  }

  @Override
  public String storeId() {
    return server.id();
  }

  @Override
  public Optional<Entry> get(String key) {
    return ask(() -> server.get(key));
  }

  @Override
  public Snapshot read(String prefix) {
    return ask(() -> server.read(prefix));
  }

  @Override
  public Outcome commit(Transaction transaction) {
    for (Write write : transaction.writes()) {
      if (write instanceof Write.Put put) {
        requireText(put.key());
        requireText(put.value());
      }
    }
    return change(() -> server.commit(transaction));
  }

  private static void requireText(String text) {
    if (text.codePoints().anyMatch(point -> point >= 0xd800 && point <= 0xdfff)) {
      throw new IllegalArgumentException("half a character cannot be stored");
    }
  }

  @Override
  public Watch watch(String prefix, Snapshot from, Watcher watcher) {
    requireOpen();
    var watch = new SimulatedWatch(server, process, link, prefix, from, watcher);
    ask(() -> server.watch(watch, from.revision()));
    watches.add(watch);
    watch.wake();
    return watch;
  }

  @Override
  public Lease grant(Duration ttl) {
    long id = change(() -> server.grant(ttl));
    return lease(id, StoreServer.granted(ttl));
  }

  @Override
  public Lease lease(long id, Duration ttl) {
    return new Lease() {
      @Override
      public long id() {
        return id;
      }

      @Override
      public Duration ttl() {
        return ttl;
      }

      @Override
      public boolean renew() {
        return ask(() -> server.renew(id));
      }

      @Override
      public boolean revoke() {
        return ask(() -> server.revoke(id));
      }
    };
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      List.copyOf(watches).forEach(SimulatedWatch::close);
    }
  }

  // ---- the way there and back

  /** For what may be asked again. */
  private <T> T ask(Supplier<T> request) {
    requireOpen();
    long began = simulation().now();
    process.sleep(link.passage());
    if (isCut()) {
      throw giveUp(began);
    }
    T answer = request.get();
    process.sleep(link.passage());
    if (isCut()) {
      throw giveUp(began);
    }
    requireOpen();
    return answer;
  }

  /** For what must not be done twice. */
  private <T> T change(Supplier<T> request) {
    requireOpen();
    long began = simulation().now();
    long number = link.nextRequest();
    process.sleep(link.passage());
    if (isCut()) {
      maybeArriveLate(number, request);
      throw unknown(began);
    }
    boolean _ = link.letIn(number);
    T answer = request.get();
    process.sleep(link.passage());
    if (isCut() && !settles()) {
      throw unknown(began);
    }
    return answer;
  }

  private void maybeArriveLate(long number, Supplier<?> request) {
    if (simulation().chance(0.5)) {
      return;
    }
    simulation()
        .after(
            simulation().upTo(LATEST_ARRIVAL),
            () -> {
              if (!isCut() && link.letIn(number)) {
                simulation().happens("%s: a request arrives late".formatted(process.name()));
                carryOut(request);
              }
            });
  }

  private static void carryOut(Supplier<?> request) {
    try {
      Object _ = request.get();
    } catch (RegistryException nobodyWaits) {
      // The sender has given up on the request.
    }
  }

  /** An answer that was lost is found out later. */
  private boolean settles() {
    process.sleep(timeout.multipliedBy(2));
    return !isCut();
  }

  private boolean isCut() {
    return link.isCut() || server.isAway();
  }

  private RegistryException giveUp(long began) {
    awaitTimeout(began);
    return new RegistryException(OUT_OF_REACH);
  }

  private RegistryException unknown(long began) {
    awaitTimeout(began);
    return new OutcomeUnknownException(
        OUT_OF_REACH + ", and whether it was done is not known",
        new RegistryException(OUT_OF_REACH));
  }

  private void awaitTimeout(long began) {
    long left = timeout.toNanos() - (simulation().now() - began);
    if (left > 0) {
      process.sleep(Duration.ofNanos(left));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new RegistryException("the registry is closed");
    }
  }

  private Simulation simulation() {
    return process.simulation();
  }
}
