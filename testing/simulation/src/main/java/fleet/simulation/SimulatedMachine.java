package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.state.SystemdState;
import fleet.core.unit.UnitName;
import fleet.registry.SharedRegistry;
import fleet.simulation.net.SimulatedNetwork;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.SimulatedStore;
import fleet.simulation.store.StoreConnection;
import fleet.simulation.store.StoreServer;
import fleet.systemd.simulated.SimulatedSystemd;
import fleet.systemd.simulated.SystemdObserver;
import fleet.systemd.simulated.UnitFortunes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A machine: power, network, systemd, and the fleetd that systemd starts again and again. */
final class SimulatedMachine {

  /** The memory of a machine: too little for all units. */
  static final long MEMORY = 5L << 30;

  private static final Duration BOOT = Duration.ofSeconds(5);
  private static final Duration RESTART = Duration.ofSeconds(1);

  private final Simulation simulation;
  private final StoreServer store;
  private final Invariants invariants;
  private final World.Settings settings;
  private final Supplier<String> ids;
  private final UnitFortunes.Source fortunes;
  private final String id;
  private final Map<String, String> metadata;
  private final List<UnitName> foreign;
  private final List<String> servers;
  private final Directories directories;
  private final StoreConnection link;
  private final SimulatedNetwork network;
  private Optional<SimulatedSystemd> systemd = Optional.empty();
  private Optional<SimulatedFleetd> fleetd = Optional.empty();
  private Optional<SimulatedGuard> guard = Optional.empty();
  private Duration clockAhead = Duration.ZERO;
  private final Clock clock;
  private boolean diskFails;
  private boolean reached;
  private long reachedSince;
  private int boots;
  private int starts;

  /**
   * Where fleetd keeps what ends with the boot.
   *
   * @param systemd has a folder a boot, for the unit files that systemd finds
   */
  record Directories(Path units, Path marks, Path systemd) {}

  /**
   * @param servers whom its fleetd has joined; none if it has the store
   */
  SimulatedMachine(
      String id,
      Map<String, String> metadata,
      List<UnitName> foreign,
      List<String> servers,
      Simulation simulation,
      StoreServer store,
      SimulatedNetwork network,
      Invariants invariants,
      World.Settings settings,
      Supplier<String> ids,
      UnitFortunes.Source fortunes) {
    InstantSource time = () -> simulation.instant().plus(clockAhead);
    this.clock = time.withZone(ZoneOffset.UTC);
    this.id = id;
    this.metadata = metadata;
    this.foreign = foreign;
    this.servers = servers;
    this.simulation = simulation;
    this.store = store;
    this.invariants = invariants;
    this.settings = settings;
    this.ids = ids;
    this.fortunes = fortunes;
    this.link = new StoreConnection(simulation);
    this.network = network;
    network.attach(id, link);
    Path root = settings.directory().resolve(id);
    this.directories =
        new Directories(root.resolve("units"), root.resolve("marks"), root.resolve("systemd"));
  }

  String id() {
    return id;
  }

  Map<String, String> metadata() {
    return metadata;
  }

  StoreConnection link() {
    return link;
  }

  Optional<SimulatedSystemd> systemd() {
    return systemd;
  }

  Optional<SimulatedFleetd> fleetd() {
    return fleetd;
  }

  boolean isOn() {
    return systemd.isPresent();
  }

  /** Whether its fleetd runs and reaches a store that takes what it says. */
  boolean hears() {
    return runs() && !link.isCut() && !store.isAway() && !store.isFull();
  }

  boolean runs() {
    return fleetd.filter(daemon -> daemon.process().runs()).isPresent();
  }

  /** Takes note of how it is. */
  void look() {
    if (reached != (runs() && !link.isCut())) {
      reached = !reached;
      reachedSince = simulation.now();
    }
  }

  /** Whether its fleetd has been running and reachable for so long. */
  boolean reachedFor(Duration time) {
    return reached && simulation.now() - reachedSince >= time.toNanos();
  }

  // ---- power

  void powerOn() {
    boots++;
    simulation.happens("%s boots".formatted(id));
    var booted =
        new SimulatedSystemd(
            simulation,
            id,
            fortunes,
            new Observer(),
            directories.systemd().resolve(Integer.toString(boots)));
    foreign.forEach(booted::addForeign);
    systemd = Optional.of(booted);
    guard =
        Optional.of(
            new SimulatedGuard(
                simulation,
                () -> guarded(booted),
                units -> {
                  units.forEach(unit -> invariants.stopped(id, unit));
                  booted.stopBeside(units);
                },
                booted::killBeside));
    network.poweredOn(id);
    simulation.after(simulation.upTo(BOOT), () -> startFleetd(booted));
  }

  /** Fleet's units that run and are not global. */
  private Set<UnitName> guarded(SimulatedSystemd booted) {
    Set<UnitName> units = new TreeSet<>(booted.running());
    units.removeIf(Workload::isGlobal);
    return units;
  }

  void powerOff() {
    simulation.happens("%s loses power".formatted(id));
    diskWorks();
    guard.ifPresent(SimulatedGuard::powerOff);
    guard = Optional.empty();
    fleetd.ifPresent(daemon -> daemon.process().kill());
    fleetd = Optional.empty();
    network.poweredOff(id);
    systemd.ifPresent(SimulatedSystemd::powerOff);
    systemd = Optional.empty();
    invariants.poweredOff(id);
    clear(directories.marks());
    clear(directories.units());
    clear(directories.systemd());
  }

  private static void clear(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- fleetd

  private void startFleetd(SimulatedSystemd booted) {
    if (systemd.filter(booted::equals).isEmpty()) {
      return;
    }
    invariants.released(id, false);
    starts++;
    var process = new SimulatedProcess(simulation, id + "." + starts);
    simulation.happens("%s: fleetd starts".formatted(process.name()));
    Wiring wiring = settings.wiring().of(process);
    SharedRegistry registry =
        wiring.store(new SimulatedStore(store, process, link, settings.fleetd().requestTimeout()));
    var started =
        new SimulatedFleetd(
            process,
            wiring,
            wiring.machine(
                new Machine(id, id + "-boot-" + boots, "", metadata, "simulated")
                    .withIsolation(settings.fleetd().isolation())
                    .withResources(new Resources(0, MEMORY, 0), Resources.UNKNOWN)),
            directories,
            registry,
            booted,
            guard.orElseThrow(),
            clock,
            settings.fleetd(),
            direct(),
            servers,
            ids,
            why -> exited(booted, process, why));
    fleetd = Optional.of(started);
    started.start();
  }

  private Optional<SimulatedNetwork> direct() {
    boolean is =
        switch (settings.fleetd().coordination()) {
          case STORE -> false;
          case RPC -> true;
          case MIXED -> !servers.isEmpty() || simulation.chance(0.5);
        };
    return is ? Optional.of(network) : Optional.empty();
  }

  void loseSystemd(Duration time) {
    systemd.ifPresent(running -> running.loseConnections(time));
  }

  private void exited(SimulatedSystemd booted, SimulatedProcess process, String why) {
    simulation.happens("%s: fleetd exits: %s".formatted(process.name(), why));
    diskWorks();
    fleetd = Optional.empty();
    network.ended(process);
    simulation.after(RESTART, () -> startFleetd(booted));
  }

  /** Somebody sets its clock; what counts time goes on as before. */
  void setClock(Duration ahead) {
    if (!ahead.equals(clockAhead)) {
      simulation.happens("%s: the clock is set %d s ahead".formatted(id, ahead.toSeconds()));
      clockAhead = ahead;
    }
  }

  /** Stops and gives up all of its units, and leaves the cluster until fleetd starts again. */
  void leave() {
    fleetd
        .filter(daemon -> daemon.process().runs())
        .ifPresent(daemon -> {
          simulation.happens("%s leaves the cluster".formatted(id));
          invariants.released(id, true);
          daemon.leave();
        });
  }

  // ---- disk

  /** No unit file can be written or read, until fleetd ends at the latest. */
  void diskFails() {
    if (fleetd.isPresent() && !diskFails && Files.exists(directories.units())) {
      simulation.happens("%s: the disk fails".formatted(id));
      diskFails = true;
      setAside(directories.units());
      systemd.ifPresent(running -> running.filesAreAt(SimulatedMachine::setAsideFile));
    }
  }

  void diskWorks() {
    if (diskFails) {
      simulation.happens("%s: the disk works again".formatted(id));
      diskFails = false;
      bringBack(directories.units());
      systemd.ifPresent(running -> running.filesAreAt(UnaryOperator.identity()));
    }
  }

  private static Path setAsideFile(Path file) {
    return aside(Objects.requireNonNull(file.toAbsolutePath().getParent()))
        .resolve(file.getFileName());
  }

  private static Path aside(Path directory) {
    return directory.resolveSibling(directory.getFileName() + ".aside");
  }

  /** A file takes the place of the directory, so that the directory cannot be made again. */
  private static void setAside(Path directory) {
    try {
      Path _ = Files.move(directory, aside(directory));
      Path _ = Files.createFile(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void bringBack(Path directory) {
    try {
      Files.delete(directory);
      Path _ = Files.move(aside(directory), directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills fleetd where it is; systemd starts another one. */
  void killFleetd() {
    fleetd.ifPresent(daemon -> {
      daemon.process().kill();
      exited(systemd.orElseThrow(), daemon.process(), "killed");
    });
  }

  void restartFleetd() {
    fleetd.filter(daemon -> daemon.process().runs()).ifPresent(SimulatedFleetd::shutDown);
  }

  void freeze() {
    fleetd.ifPresent(daemon -> {
      simulation.happens("%s: fleetd is frozen".formatted(daemon.process().name()));
      daemon.process().freeze();
    });
  }

  void thaw() {
    fleetd
        .filter(daemon -> daemon.process().isFrozen())
        .ifPresent(daemon -> {
          simulation.happens("%s: fleetd goes on".formatted(daemon.process().name()));
          daemon.process().thaw();
        });
  }

  // ---- network

  void cut() {
    simulation.happens("%s is cut off".formatted(id));
    link.cut();
  }

  void heal() {
    if (link.isCut()) {
      simulation.happens("%s is reachable again".formatted(id));
      link.heal();
      network.wake();
    }
  }

  private Mark mark(UnitName unit) {
    try {
      return new Marks(directories.marks(), id + "-boot-" + boots)
          .readAll().current().stream()
              .filter(mark -> mark.unit().equals(unit))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no mark of " + unit + " on " + id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Observer implements SystemdObserver {

    /** Whether the start that is about to be told is a restart. */
    private boolean restarts;

    @Override
    public void starting(UnitName unit) {
      SystemdState state = systemd.orElseThrow().state(unit);
      boolean runs = state.isActive() || state.active().equals("activating");
      invariants.starting(id, unit, mark(unit), restarts || !runs);
      restarts = false;
    }

    @Override
    public void stopping(UnitName unit, boolean running) {
      invariants.stopping(id, unit, running);
      invariants.stopped(id, unit);
    }

    @Override
    public void restarting(UnitName unit, boolean running) {
      restarts = true;
      invariants.stopping(id, unit, running);
    }

    @Override
    public void changed(UnitName unit, boolean running) {
      SimulatedSystemd of = systemd.orElseThrow();
      SystemdState state = of.state(unit);
      invariants.changed(id, unit, running, state.isActive(), of.endedWell(unit));
    }

    @Override
    public void touchedForeign(UnitName unit, String call) {
      throw invariants.touchedForeign(id, unit, call);
    }
  }
}
