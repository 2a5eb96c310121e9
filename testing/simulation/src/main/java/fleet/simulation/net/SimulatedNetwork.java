package fleet.simulation.net;

import fleet.coordination.rpc.MessageStream;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.StoreConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The network between machines as TCP and gRPC make it look: what is sent on a connection arrives
 * in order or not at all, late if it must be sent again, and nobody is told of a cut. A process
 * that ends closes its connections; a machine without power says nothing until somebody asks it
 * once it is back.
 */
public final class SimulatedNetwork {

  private static final Duration LOOPBACK = Duration.ofNanos(30_000);
  private static final Duration LATEST_RETRY = Duration.ofSeconds(2);

  private final Simulation simulation;
  private final Supplier<Optional<String>> leader;
  private final Map<String, StoreConnection> links = new TreeMap<>();
  private final Map<String, Port> ports = new TreeMap<>();
  private final Set<Pair> cuts = new HashSet<>();
  private final List<SimulatedConnection> connections = new ArrayList<>();
  private final Set<String> off = new HashSet<>();

  /** Takes in whoever opens a stream. */
  public interface Door {
    MessageStream.Listener<FromAgent> arrived(MessageStream<FromLeader> line);
  }

  record Port(SimulatedProcess process, Door door) {}

  private record Pair(String one, String other) {
    static Pair of(String one, String other) {
      return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
    }
  }

  /**
   * @param leader the machine whose engine leads, as the servers know
   */
  public SimulatedNetwork(Simulation simulation, Supplier<Optional<String>> leader) {
    this.simulation = simulation;
    this.leader = leader;
  }

  Simulation simulation() {
    return simulation;
  }

  /** A machine with its way to everything else. */
  public void attach(String machine, StoreConnection link) {
    links.put(machine, link);
  }

  // ---- what fleetds do

  /** A process listens from now on, until it ends. */
  public void listen(String machine, SimulatedProcess process, Door door) {
    ports.put(machine, new Port(process, door));
  }

  /** Opens a stream; what is sent before it is connected goes out then. */
  public MessageStream<FromAgent> dial(
      String from,
      SimulatedProcess process,
      String to,
      MessageStream.Listener<FromLeader> listener) {
    var connection = new SimulatedConnection(this, from, to, process, listener);
    connections.add(connection);
    connection.connect();
    return connection.agent();
  }

  /**
   * Asks all of several servers at once who leads, and waits for the first that answers.
   *
   * @param patience for how long, should none of them
   */
  public Optional<String> leader(
      String from, SimulatedProcess process, List<String> servers, Duration patience) {
    Optional<Duration> first =
        servers.stream()
            .filter(server -> answers(from, server))
            .map(server -> passage(from, server).plus(passage(server, from)))
            .min(Comparator.naturalOrder());
    process.sleep(first.orElse(patience));
    return first.flatMap(_ -> leader.get());
  }

  private boolean answers(String from, String server) {
    return !isCut(from, server) && port(server).filter(port -> port.process().runs()).isPresent();
  }

  // ---- what happens to them

  /** A process has ended; its kernel closes what it had open. */
  public void ended(SimulatedProcess process) {
    ports.values().removeIf(port -> port.process().equals(process));
    for (SimulatedConnection connection : List.copyOf(connections)) {
      connection.ended(process);
    }
  }

  public void poweredOff(String machine) {
    off.add(machine);
    ports.remove(machine);
    for (SimulatedConnection connection : List.copyOf(connections)) {
      connection.vanished(machine);
    }
  }

  /** A peer that still speaks to what was there before is told that it is gone. */
  public void poweredOn(String machine) {
    off.remove(machine);
    wake();
  }

  /** Nothing passes between the two any more, and nobody is told. */
  public void cut(String one, String other) {
    cuts.add(Pair.of(one, other));
  }

  public void heal(String one, String other) {
    if (cuts.remove(Pair.of(one, other))) {
      wake();
    }
  }

  public void healAll() {
    cuts.clear();
    wake();
  }

  /** Something may pass again: what was lost is sent again later. */
  public void wake() {
    for (SimulatedConnection connection : List.copyOf(connections)) {
      simulation.after(simulation.upTo(LATEST_RETRY), connection::pump);
    }
  }

  public boolean isCut(String one, String other) {
    return !one.equals(other)
        && (cuts.contains(Pair.of(one, other)) || link(one).isCut() || link(other).isCut());
  }

  // ---- for connections

  Optional<Port> port(String machine) {
    return Optional.ofNullable(ports.get(machine));
  }

  boolean isOff(String machine) {
    return off.contains(machine);
  }

  Duration passage(String one, String other) {
    return one.equals(other)
        ? simulation.upTo(LOOPBACK)
        : link(one).passage().plus(link(other).passage());
  }

  private StoreConnection link(String machine) {
    return Optional.ofNullable(links.get(machine)).orElseThrow();
  }

  void forget(SimulatedConnection connection) {
    connections.remove(connection);
  }
}
