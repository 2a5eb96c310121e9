package fleet.simulation;

import fleet.agent.mark.Mark;
import fleet.agent.mark.Marks;
import fleet.core.machine.Isolation;
import fleet.core.machine.Machine;
import fleet.core.machine.Resources;
import fleet.core.unit.UnitName;
import fleet.registry.SharedRegistry;
import fleet.simulation.net.Network;
import fleet.simulation.run.SimulatedProcess;
import fleet.simulation.run.Simulation;
import fleet.simulation.store.Link;
import fleet.simulation.store.SimulatedStore;
import fleet.simulation.store.StoreServer;
import fleet.systemd.simulated.SimulatedSystemd;
import fleet.systemd.simulated.SystemdObserver;
import fleet.systemd.simulated.UnitFortunes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A machine: power, network, systemd, and the fleetd that systemd starts again and again. */
final class SimulatedMachine {

  /** What it has, so that not all units find room. */
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
  private final Link link;
  private final Network network;
  private Optional<SimulatedSystemd> systemd = Optional.empty();
  private Optional<Fleetd> fleetd = Optional.empty();
  private int boots;
  private int starts;

  /**
   * Where fleetd keeps what ends with the boot.
   *
   * @param systemd has a folder a boot, for the unit files that systemd finds
   */
  record Directories(Path units, Path marks, Path systemd) {}

  /**
   * @param servers whom its fleetd has joined; none where it has the store
   */
  SimulatedMachine(
      String id,
      Map<String, String> metadata,
      List<UnitName> foreign,
      List<String> servers,
      Simulation simulation,
      StoreServer store,
      Network network,
      Invariants invariants,
      World.Settings settings,
      Supplier<String> ids,
      UnitFortunes.Source fortunes) {
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
    this.link = new Link(simulation);
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

  Link link() {
    return link;
  }

  Optional<SimulatedSystemd> systemd() {
    return systemd;
  }

  Optional<Fleetd> fleetd() {
    return fleetd;
  }

  boolean isOn() {
    return systemd.isPresent();
  }

  /** Whether its fleetd runs and reaches the store. */
  boolean hears() {
    return runs() && !link.isCut() && !store.isAway();
  }

  boolean runs() {
    return fleetd.filter(daemon -> daemon.process().runs()).isPresent();
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
    network.poweredOn(id);
    simulation.after(simulation.upTo(BOOT), () -> startFleetd(booted));
  }

  void powerOff() {
    simulation.happens("%s loses power".formatted(id));
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
    starts++;
    var process = new SimulatedProcess(simulation, id + "." + starts);
    simulation.happens("%s: fleetd starts".formatted(process.name()));
    SharedRegistry registry =
        settings
            .wrap()
            .apply(new SimulatedStore(store, process, link, settings.fleetd().requestTimeout()));
    var started =
        new Fleetd(
            process,
            new Machine(
                id,
                id + "-boot-" + boots,
                "",
                metadata,
                "simulated",
                Isolation.KEEP,
                new Resources(0, MEMORY, 0)),
            directories,
            registry,
            booted,
            settings.fleetd(),
            direct(),
            servers,
            ids,
            why -> exited(booted, process, why));
    fleetd = Optional.of(started);
    started.start();
  }

  private Optional<Network> direct() {
    boolean is =
        switch (settings.fleetd().coordination()) {
          case STORE -> false;
          case RPC -> true;
          case MIXED -> !servers.isEmpty() || simulation.chance(0.5);
        };
    return is ? Optional.of(network) : Optional.empty();
  }

  private void exited(SimulatedSystemd booted, SimulatedProcess process, String why) {
    simulation.happens("%s: fleetd exits: %s".formatted(process.name(), why));
    fleetd = Optional.empty();
    network.ended(process);
    simulation.after(RESTART, () -> startFleetd(booted));
  }

  /** Kills fleetd where it is; systemd starts another one. */
  void killFleetd() {
    fleetd.ifPresent(daemon -> {
      daemon.process().kill();
      exited(systemd.orElseThrow(), daemon.process(), "killed");
    });
  }

  void restartFleetd() {
    fleetd.filter(daemon -> daemon.process().runs()).ifPresent(Fleetd::shutDown);
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
    @Override
    public void starting(UnitName unit) {
      invariants.starting(id, unit, mark(unit));
    }

    @Override
    public void stopping(UnitName unit, boolean running) {
      invariants.stopping(id, unit, running);
    }

    @Override
    public void changed(UnitName unit, boolean running) {
      invariants.changed(id, unit, running);
    }

    @Override
    public void touchedForeign(UnitName unit, String call) {
      throw invariants.touchedForeign(id, unit, call);
    }
  }
}
