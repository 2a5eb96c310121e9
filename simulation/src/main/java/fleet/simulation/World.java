package fleet.simulation;

import fleet.core.unit.UnitName;
import fleet.registry.SharedRegistry;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.Link;
import fleet.simulation.store.StoreServer;
import fleet.simulation.systemd.UnitFortunes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A whole cluster: machines and the store they share, with invariants that watch over it. */
public final class World {

  /** Two of them exist from the start on some machine, so that fleet is refused there. */
  private static final List<UnitName> FOREIGN =
      List.of(UnitName.of("a1.service"), UnitName.of("a2.service"));

  private final Simulation simulation;
  private final StoreServer store;
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
    store = new StoreServer(simulation);
    invariants = new Invariants(simulation, store, World::isGlobal);
    for (int i = 1; i <= settings.machines(); i++) {
      machines.add(
          new SimulatedMachine(
              "m" + i,
              Map.of("region", i % 2 == 0 ? "eu" : "us"),
              FOREIGN.subList(Math.min(i - 1, FOREIGN.size()), FOREIGN.size()),
              simulation,
              store,
              invariants,
              settings,
              () -> "id-" + ++ids,
              () -> fortunes));
    }
    simulation.check(this::check);
    machines.forEach(SimulatedMachine::powerOn);
  }

  static boolean isGlobal(UnitName unit) {
    return unit.value().startsWith("global");
  }

  private void check() {
    machines.forEach(machine -> invariants.hears(machine.id(), machine.hears()));
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
