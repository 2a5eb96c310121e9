package fleet.systemd.simulated;

import fleet.core.state.SystemdState;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.core.unit.UnitName;
import fleet.systemd.JobResult;
import fleet.systemd.Systemd;
import fleet.systemd.SystemdException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The systemd of one machine, from boot to power-off. Fleetds come and go, their units stay; what
 * fleet is not to touch is there as well. It answers at once; {@link SystemdConnection} is the way
 * to it.
 */
public final class SimulatedSystemd {

  private static final Duration FORGET = Duration.ofSeconds(1);

  private final SimulationContext surroundings;
  private final String machine;
  private final UnitFortunes.Source fortunes;
  private final SystemdObserver observer;
  private final Path runtimeDirectory;
  private final Map<UnitName, SimulatedUnit> units = new TreeMap<>(SimulatedSystemd::byName);
  private final Set<UnitName> foreign = new TreeSet<>(SimulatedSystemd::byName);
  private final List<SystemdConnection> connections = new ArrayList<>();
  private UnaryOperator<Path> files = UnaryOperator.identity();
  private boolean on = true;

  /**
   * @param runtimeDirectory where it finds unit files; of this boot
   */
  public SimulatedSystemd(
      SimulationContext surroundings,
      String machine,
      UnitFortunes.Source fortunes,
      SystemdObserver observer,
      Path runtimeDirectory) {
    this.surroundings = surroundings;
    this.machine = machine;
    this.fortunes = fortunes;
    this.observer = observer;
    this.runtimeDirectory = runtimeDirectory;
  }

  static int byName(UnitName one, UnitName other) {
    return one.value().compareTo(other.value());
  }

  /** From now on what links point to is elsewhere, unseen by whoever else looks. */
  public void filesAreAt(UnaryOperator<Path> place) {
    files = place;
  }

  /** Connects a process. */
  public Systemd connect(ConnectedProcess process, Systemd.Listener listener) {
    var connection = new SystemdConnection(this, surroundings, process, listener);
    connections.add(connection);
    return connection;
  }

  /** Somebody else's unit, which runs. */
  public void addForeign(UnitName unit) {
    foreign.add(unit);
    var added =
        new SimulatedUnit(surroundings, unit, false, () -> UnitFortunes.FAIR, () -> changed(unit));
    units.put(unit, added);
    added.start(_ -> {});
  }

  /** Somebody else's unit goes. */
  public void removeForeign(UnitName unit) {
    if (foreign.remove(unit)) {
      SimulatedUnit gone = units.remove(unit);
      if (gone != null) {
        gone.off();
      }
    }
  }

  public boolean isForeign(UnitName unit) {
    return foreign.contains(unit);
  }

  /** Fleet's units that have a process. */
  public Set<UnitName> running() {
    Set<UnitName> running = new TreeSet<>(SimulatedSystemd::byName);
    units.forEach((name, unit) -> {
      if (unit.hasProcess() && !foreign.contains(name)) {
        running.add(name);
      }
    });
    return running;
  }

  /** Fleet's units whose files systemd finds. */
  public Set<UnitName> linked() {
    if (!Files.isDirectory(runtimeDirectory)) {
      return Set.of();
    }
    try (Stream<Path> links = Files.list(runtimeDirectory)) {
      return links
          .map(link -> UnitName.of(String.valueOf(link.getFileName())))
          .collect(Collectors.toCollection(() -> new TreeSet<>(SimulatedSystemd::byName)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a unit was started and ended without anybody asking for that. */
  public boolean endedByItself(UnitName unit) {
    SimulatedUnit found = units.get(unit);
    return found != null && found.endedByItself();
  }

  /** Whether a unit has done what it was started for, and ended. */
  public boolean endedWell(UnitName unit) {
    SimulatedUnit found = units.get(unit);
    return found != null && found.endedWell();
  }

  /** Whether a unit has had no process, and no job, for so long. */
  public boolean isAtRestFor(UnitName unit, Duration time) {
    SimulatedUnit found = units.get(unit);
    return found != null
        && found.isIdle()
        && !found.state().since().plus(time).isAfter(surroundings.instant());
  }

  /** The state of a unit. */
  public SystemdState state(UnitName unit) {
    SimulatedUnit found = units.get(unit);
    if (found != null) {
      return found.state();
    }
    return file(unit).isPresent()
        ? SystemdState.DEAD
        : new SystemdState("not-found", "inactive", "dead", "", "", 0, Instant.EPOCH);
  }

  /** Stops units as somebody beside fleetd does. */
  public void stopBeside(Collection<UnitName> names) {
    for (UnitName unit : names) {
      SimulatedUnit found = units.get(unit);
      if (found != null) {
        surroundings.happens(() -> "%s: %s is stopped beside fleetd".formatted(machine, unit));
        found.stop(_ -> {});
      }
    }
  }

  /** Kills units as somebody beside fleetd does. */
  public void killBeside(Collection<UnitName> names) {
    for (UnitName unit : names) {
      SimulatedUnit found = units.get(unit);
      if (found != null && found.hasProcess()) {
        surroundings.happens(() -> "%s: %s is killed beside fleetd".formatted(machine, unit));
        found.kill();
      }
    }
  }

  /**
   * Every connection is lost, with what was asked over it and is not answered yet; units go on.
   * Each is there again after a while, as after {@code daemon-reexec}.
   */
  public void loseConnections(Duration time) {
    List.copyOf(connections).forEach(connection -> connection.lose(time));
  }

  /** The power goes: nothing of this boot is left. */
  public void powerOff() {
    on = false;
    units.values().forEach(SimulatedUnit::off);
    units.clear();
    connections.clear();
  }

  // ---- what a connection asks

  Path runtimeDirectory() {
    return runtimeDirectory;
  }

  void resetFailed(UnitName unit) {
    requireOwn(unit, "reset-failed");
    SimulatedUnit found = units.get(unit);
    if (found != null) {
      found.resetFailed();
      forgetIfIdle(unit);
    }
  }

  void start(UnitName unit, Consumer<JobResult> end) {
    requireOwn(unit, "start");
    SimulatedUnit loaded = load(unit);
    observer.starting(unit);
    surroundings.happens(() -> "%s systemd: start %s".formatted(machine, unit));
    loaded.start(end);
  }

  void restart(UnitName unit, Consumer<JobResult> end) {
    requireOwn(unit, "restart");
    SimulatedUnit loaded = load(unit);
    observer.restarting(unit, loaded.hasProcess());
    observer.starting(unit);
    surroundings.happens(() -> "%s systemd: restart %s".formatted(machine, unit));
    loaded.restart(end);
  }

  void stop(UnitName unit, Consumer<JobResult> end) {
    requireOwn(unit, "stop");
    SimulatedUnit loaded = load(unit);
    observer.stopping(unit, loaded.hasProcess());
    surroundings.happens(() -> "%s systemd: stop %s".formatted(machine, unit));
    loaded.stop(end);
  }

  void kill(UnitName unit) {
    requireOwn(unit, "kill");
    SimulatedUnit found = units.get(unit);
    if (found != null) {
      observer.stopping(unit, found.hasProcess());
      surroundings.happens(() -> "%s systemd: kill %s".formatted(machine, unit));
      found.kill();
    }
  }

  List<Systemd.KnownUnit> known(Collection<UnitName> names) {
    return names.stream().filter(units::containsKey).map(this::known).toList();
  }

  private Systemd.KnownUnit known(UnitName unit) {
    String fragment =
        foreign.contains(unit)
            ? "/usr/lib/systemd/system/" + unit
            : isLinked(unit) ? link(unit).toString() : "";
    return new Systemd.KnownUnit(unit, "loaded", fragment);
  }

  // ---- units

  private void requireOwn(UnitName unit, String call) {
    if (foreign.contains(unit)) {
      observer.touchedForeign(unit, call);
    }
  }

  private SimulatedUnit load(UnitName unit) {
    SimulatedUnit known = units.get(unit);
    if (known != null) {
      return known;
    }
    UnitFile file =
        file(unit)
            .orElseThrow(() ->
                new SystemdException(
                    "org.freedesktop.systemd1.NoSuchUnit", "Unit " + unit + " not found."));
    boolean oneshot = file.values("Service", "Type").contains("oneshot");
    var loaded =
        new SimulatedUnit(
            surroundings,
            unit,
            oneshot,
            () -> fortunes.of(unit, file(unit).orElse(file)),
            () -> changed(unit));
    units.put(unit, loaded);
    return loaded;
  }

  private Optional<UnitFile> file(UnitName unit) {
    try {
      Path file = files.apply(Files.readSymbolicLink(link(unit)));
      return Optional.of(UnitFile.parse(Files.readString(file)));
    } catch (FileSystemException | UnitFileSyntaxException unreadable) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path link(UnitName unit) {
    return runtimeDirectory.resolve(unit.value());
  }

  private boolean isLinked(UnitName unit) {
    return Files.isSymbolicLink(link(unit));
  }

  private void changed(UnitName unit) {
    SimulatedUnit changed = units.get(unit);
    if (changed != null && on) {
      surroundings.happens(() -> "%s systemd: %s".formatted(machine, changed));
      SystemdState state = changed.state();
      if (!foreign.contains(unit)) {
        observer.changed(unit, changed.hasProcess());
      }
      List.copyOf(connections).forEach(connection -> connection.changed(unit, state));
      surroundings.after(FORGET, () -> forgetIfGone(unit));
    }
  }

  /** systemd drops from memory what is neither there nor wanted. */
  private void forgetIfGone(UnitName unit) {
    if (!isLinked(unit)) {
      forgetIfIdle(unit);
    }
  }

  private void forgetIfIdle(UnitName unit) {
    SimulatedUnit found = units.get(unit);
    if (found != null && found.isIdle() && !foreign.contains(unit)) {
      units.remove(unit);
    }
  }

  boolean disconnect(SystemdConnection connection) {
    return connections.remove(connection);
  }
}
