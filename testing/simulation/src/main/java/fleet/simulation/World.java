package fleet.simulation;

import fleet.core.machine.Isolation;
import fleet.core.unit.UnitName;
import fleet.registry.records.Keys;
import fleet.registry.records.UnitRecord;
import fleet.simulation.net.SimulatedNetwork;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.StoreConnection;
import fleet.simulation.store.StoreServer;
import fleet.systemd.simulated.UnitFortunes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A whole cluster: machines and the store they share, with invariants that watch over it. */
public final class World {

  /** Two of them exist from the start on some machine, so that fleet is refused there. */
  private static final List<UnitName> FOREIGN =
      List.of(UnitName.of("a1.service"), UnitName.of("a2.service"));

  /** A machine that could speak to one leader for so long is known to it. */
  private static final Duration KNOWN = Duration.ofSeconds(20);

  /** How often that is looked at which time alone changes. */
  private static final Duration LOOK = Duration.ofMillis(50);

  /** A fleetd that has heard the store for so long has had its changes. */
  private static final Duration IN_TOUCH = Duration.ofSeconds(3);

  /** So long a unit must have done nothing for everybody to know. */
  private static final Duration AT_REST = Duration.ofSeconds(20);

  /** If machines speak to the leader, all others have joined these, and have no store. */
  private static final List<String> SERVERS = List.of("m1", "m2", "m3");

  private final Simulation simulation;
  private final StoreServer store;
  private final SimulatedNetwork network;
  private final Settings settings;
  private final Leaders leaders;
  private final Judge judge;
  private final Contacts contacts;
  private final Invariants invariants;
  private final Ledger ledger;
  private final List<SimulatedMachine> machines = new ArrayList<>();
  private UnitFortunes fortunes = UnitFortunes.MIXED;
  private int ids;
  private int parted;
  private long healedAt;
  private long nextLook;

  /**
   * The make-up of a world.
   *
   * @param directory where the machines' files are, for nobody else
   * @param wiring the parts of each fleetd
   */
  public record Settings(
      int machines, MachineSettings fleetd, Path directory, Wiring.Source wiring) {

    /** As it ships. */
    public static Settings of(int machines, MachineSettings fleetd, Path directory) {
      return new Settings(machines, fleetd, directory, _ -> Wiring.AS_SHIPPED);
    }
  }

  /** Makes a world and switches its machines on. */
  public World(long seed, Settings settings) {
    simulation = new Simulation(seed);
    simulation.trace().leaveOut(settings.directory());
    this.settings = settings;
    store = new StoreServer(simulation);
    leaders = new Leaders(store);
    network = new SimulatedNetwork(simulation, leaders::now);
    judge = new Judge(simulation);
    contacts = new Contacts(simulation);
    invariants =
        new Invariants(
            judge,
            contacts,
            this::isMissed,
            Workload::isGlobal,
            settings.fleetd().isolation() == Isolation.STOP,
            store);
    ledger = new Ledger(judge, store, this::isInTouch, this::mayRun);
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
              (unit, file) -> Workload.fortunes(fortunes, unit, file)));
    }
    simulation.check(this::check);
    machines.forEach(SimulatedMachine::powerOn);
  }

  private boolean isInTouch(String fleetd) {
    return contacts.hasHeardFor(fleetd.substring(0, fleetd.indexOf('.')), IN_TOUCH);
  }

  /**
   * Whether nobody can say for certain that a unit does not run, nor is about to: it has not been
   * at rest for long, or where it is cannot be asked.
   */
  private boolean mayRun(UnitName unit) {
    return invariants
        .placement(unit)
        .map(machine -> !isAtRest(unit, machine))
        .orElseGet(() -> store.get(Keys.unit(unit)).isPresent());
  }

  private boolean isAtRest(UnitName unit, String id) {
    SimulatedMachine machine = machine(id);
    Optional<Starts.Start> asked =
        store
            .get(Keys.unit(unit))
            .map(UnitRecord::of)
            .map(record -> new Starts.Start(record.incarnation(), record.restartCounter()));
    return machine.reachedFor(AT_REST)
        && contacts.hasHeardFor(id, AT_REST)
        && !havePartedWithin(AT_REST)
        && machine.systemd().filter(systemd -> systemd.isAtRestFor(unit, AT_REST)).isPresent()
        && invariants.lastStart(id, unit).equals(asked);
  }

  /**
   * Whether the cluster can take a machine for lost. Who speaks to the leader is not in the store;
   * but who could do so all the time is there.
   */
  private boolean isMissed(String machine) {
    return store.get(Keys.machine(machine)).isEmpty()
        && (!speaks() || !contacts.hasHeardFor(machine, KNOWN));
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

  SimulatedMachine machine(String id) {
    return machines.stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
  }

  private boolean isCut(SimulatedMachine one, SimulatedMachine other) {
    return network.isCut(one.id(), other.id());
  }

  /** Two machines cannot speak to each other any more, though both reach the store. */
  void cut(SimulatedMachine one, SimulatedMachine other) {
    simulation.happens("%s and %s do not reach each other".formatted(one.id(), other.id()));
    parted++;
    network.cut(one.id(), other.id());
  }

  private boolean havePartedWithin(Duration time) {
    return parted > 0 || (healedAt > 0 && simulation.now() - healedAt < time.toNanos());
  }

  void heal(SimulatedMachine one, SimulatedMachine other) {
    simulation.happens("%s and %s reach each other".formatted(one.id(), other.id()));
    parted = Math.max(0, parted - 1);
    healedAt = simulation.now();
    network.heal(one.id(), other.id());
  }

  private void check() {
    if (simulation.now() >= nextLook) {
      nextLook = simulation.now() + LOOK.toNanos();
      contacts.leads(leaders.term());
      machines.forEach(machine -> {
        machine.look();
        contacts.hears(machine.id(), hears(machine));
      });
      invariants.look();
    }
    invariants.check();
  }

  public Simulation simulation() {
    return simulation;
  }

  StoreServer store() {
    return store;
  }

  /** The commands that were asked for, and what became of them. */
  Ledger ledger() {
    return ledger;
  }

  Judge judge() {
    return judge;
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

  void storeFull() {
    simulation.happens("the store is full");
    store.fill();
  }

  void storeEmptied() {
    if (store.isFull()) {
      simulation.happens("the store has room again");
      store.makeRoom();
    }
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
    storeEmptied();
    network.healAll();
    for (SimulatedMachine machine : machines) {
      machine.link().latency(StoreConnection.USUAL);
      machine.heal();
      machine.thaw();
      machine.diskWorks();
      machine.setClock(Duration.ZERO);
      if (!machine.isOn()) {
        machine.powerOn();
      }
    }
  }
}
