package fleet.testkit;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Machines that all tests of a run share, several at the same time. Each cluster is booted when the
 * first test asks for it, and removed at the end of the run.
 *
 * <p>A test that uses them gives its units names of its own, and leaves alone what other tests rely
 * on: it cordons no machine, changes no setting, stops no fleetd and cuts nothing off. A test that
 * has to do so takes {@link Machines} of its own.
 *
 * <p>Safe for use by several threads.
 */
public final class SharedMachines implements AutoCloseable {

  /** The port of metrics in the example for Prometheus. */
  public static final int METRICS_PORT = 50061;

  private final Supplier<Machines> sets;
  private final List<Machines> booted = new ArrayList<>();
  private final Map<OperatingSystem, FleetMachine> servers = new EnumMap<>(OperatingSystem.class);
  private @Nullable JoinedCluster joined;
  private @Nullable FleetCluster onEtcd;

  /**
   * @param sets makes a set without machines
   */
  SharedMachines(Supplier<Machines> sets) {
    this.sets = sets;
  }

  /** One machine that is a cluster by itself. */
  public FleetMachine server() {
    return server(OperatingSystem.HOST);
  }

  /** One machine with this operating system that is a cluster by itself. */
  public synchronized FleetMachine server(OperatingSystem system) {
    return servers.computeIfAbsent(
        system, _ -> new FleetMachine(set().boot(system, 1).getFirst()).install());
  }

  /** One server with an embedded registry, and two machines that have joined it. */
  public synchronized JoinedCluster joined() {
    if (joined == null) {
      joined = JoinedCluster.boot(set(), 2, FleetMachine.PATIENT);
    }
    return joined;
  }

  /** Three machines whose registry is an etcd, with metrics at {@link #METRICS_PORT}. */
  public synchronized FleetCluster onEtcd() {
    if (onEtcd == null) {
      onEtcd =
          FleetCluster.boot(
              set(), 3, FleetMachine.PATIENT, "metrics_listen=0.0.0.0:" + METRICS_PORT);
    }
    return onEtcd;
  }

  private Machines set() {
    Machines set = sets.get();
    booted.add(set);
    return set;
  }

  /** All machines that are booted so far. */
  synchronized List<BootedMachine> all() {
    return booted.stream().flatMap(set -> set.all().stream()).toList();
  }

  @Override
  public synchronized void close() {
    booted.forEach(Machines::close);
  }
}
