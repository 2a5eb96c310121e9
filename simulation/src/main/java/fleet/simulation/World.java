package fleet.simulation;

import fleet.core.unit.UnitName;
import fleet.registry.SharedRegistry;
import fleet.registry.records.Keys;
import fleet.simulation.net.Network;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.Link;
import fleet.simulation.store.StoreServer;
import fleet.systemd.simulated.UnitFortunes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A whole cluster: machines and the store they share, with invariants that watch over it. */
public final class World {

  /** Two of them exist from the start on some machine, so that fleet is refused there. */
  private static final List<UnitName> FOREIGN =
      List.of(UnitName.of("a1.service"), UnitName.of("a2.service"));

  /** A machine that could speak to one leader for so long is known to it. */
  private static final Duration KNOWN = Duration.ofSeconds(20);

  /** Where machines speak to the leader, all others have joined these, and have no store. */
  private static final List<String> SERVERS = List.of("m1", "m2", "m3");

  private final Simulation simulation;
  private final StoreServer store;
  private final Network network;
  private final Settings settings;
  private final Leaders leaders;
  private final Invariants invariants;
  private final List<SimulatedMachine> machines = new ArrayList<>();
  private UnitFortunes fortunes = UnitFortunes.MIXED;
  private int ids;

  /**
   * What a world is made of.
   *
   * @param directory where the machines' files are, for nobody else
   * @param wrap what each fleetd sees in place of its store
   */
  public record Settings(
      int machines, MachineSettings fleetd, Path directory, UnaryOperator<SharedRegistry> wrap) {

    /** Three machines as they usually are. */
    public static Settings usual(Path directory) {
      return new Settings(3, MachineSettings.USUAL, directory, store -> store);
    }
  }

  /** Makes a world and switches its machines on. */
  public World(long seed, Settings settings) {
    simulation = new Simulation(seed);
    this.settings = settings;
    store = new StoreServer(simulation);
    network = new Network(simulation);
    leaders = new Leaders(store);
    invariants = new Invariants(simulation, this::isMissed, World::isGlobal, store);
    for (int i = 1; i <= settings.machines(); i++) {
      machines.add(
          new SimulatedMachine(
              "m" + i,
              Map.of("region", i % 2 == 0 ? "eu" : "us"),
              FOREIGN.subList(Math.min(i - 1, FOREIGN.size()), FOREIGN.size()),
              settings.fleetd().coordination() == Coordination.RPC && i > SERVERS.size()
                  ? SERVERS
                  : List.of(),
              simulation,
              store,
              network,
              invariants,
              settings,
              () -> "id-" + ++ids,
              (_, _) -> fortunes));
    }
    simulation.check(this::check);
    machines.forEach(SimulatedMachine::powerOn);
  }

  static boolean isGlobal(UnitName unit) {
    return unit.value().startsWith("global");
  }

  /**
   * Whether the cluster can take a machine for lost. Who speaks to the leader is not in the store;
   * but who could do so all the time is there.
   */
  private boolean isMissed(String machine) {
    return store.get(Keys.machine(machine)).isEmpty()
        && (!speaks() || !invariants.hasHeardFor(machine, KNOWN));
  }

  /** Whether machines may speak to the leader itself. */
  boolean speaks() {
    return settings.fleetd().coordination() != Coordination.STORE;
  }

  /** Whether a machine can be told things: by the store, or by a leader that is well. */
  private boolean hears(SimulatedMachine machine) {
    if (!machine.hears() || !speaks()) {
      return machine.hears();
    }
    return leader().filter(leader -> leader.hears() && !isCut(machine, leader)).isPresent();
  }

  /** The machine whose engine leads. */
  Optional<SimulatedMachine> leader() {
    return leaders
        .now()
        .flatMap(id -> machines.stream().filter(one -> one.id().equals(id)).findFirst());
  }

  private boolean isCut(SimulatedMachine one, SimulatedMachine other) {
    return network.isCut(one.id(), other.id());
  }

  /** Two machines cannot speak to each other any more, though both reach the store. */
  void cut(SimulatedMachine one, SimulatedMachine other) {
    simulation.happens("%s and %s do not reach each other".formatted(one.id(), other.id()));
    network.cut(one.id(), other.id());
  }

  void heal(SimulatedMachine one, SimulatedMachine other) {
    simulation.happens("%s and %s reach each other".formatted(one.id(), other.id()));
    network.heal(one.id(), other.id());
  }

  private void check() {
    machines.forEach(machine -> invariants.hears(machine.id(), hears(machine)));
    invariants.check();
  }

  public Simulation simulation() {
    return simulation;
  }

  StoreServer store() {
    return store;
  }

  Invariants invariants() {
    return invariants;
  }

  List<SimulatedMachine> machines() {
    return machines;
  }

  /** Lets time pass. */
  public void run(Duration time) {
    simulation.run(time);
  }

  void storeAway() {
    simulation.happens("the store is away");
    store.goAway();
  }

  void storeBack() {
    if (store.isAway()) {
      simulation.happens("the store is back");
      store.comeBack();
    }
  }

  /** Ends every fault, and sees to it that none comes. */
  void calm() {
    simulation.happens("faults end");
    fortunes = UnitFortunes.FAIR;
    storeBack();
    network.healAll();
    for (SimulatedMachine machine : machines) {
      machine.link().latency(Link.USUAL);
      machine.heal();
      machine.thaw();
      if (!machine.isOn()) {
        machine.powerOn();
      }
    }
  }
}
